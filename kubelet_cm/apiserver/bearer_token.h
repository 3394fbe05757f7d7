// BearerToken: the token that is shown to an API server: a fixed one, or that of a file, which others renew. The file
// is read again every minute, and when the server does not take the token any more. One that cannot be read leaves the
// token as it was.
//
// Thread-safe; a call may read the file.
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_BEARER_TOKEN_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_BEARER_TOKEN_H_

#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "common/clock/clock.h"
#include "common/clock/monotonic_time.h"
#include "common/filesystem/file_system.h"
#include "common/threads/mutex.h"

namespace kubelet_cm::apiserver {

inline constexpr absl::Duration kTokenLife = absl::Minutes(1);

class BearerToken {
 public:
  // With `path` empty the token stays. What is given outlives the object.
  BearerToken(FileSystem& files, const Clock& clock, std::string token, std::string path);

  // Empty: none.
  std::string Get();
  // Reads the file now. Whether there is another token since `refused` was taken.
  bool Renew(const std::string& refused);

 private:
  void Read();

  FileSystem& files_;
  const Clock& clock_;
  const std::string path_;
  Mutex mu_;
  std::string token_ ABSL_GUARDED_BY(mu_);
  MonotonicTime good_until_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_BEARER_TOKEN_H_
