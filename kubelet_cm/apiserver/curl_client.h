// CurlClient: HTTP and HTTPS through libcurl, as an ApiAccess says: which server's certificate is good, which
// certificate of ours is shown. Connections are kept and used again. Redirects are not followed, answers are not
// decompressed, times are bounded, and headers by libcurl itself.
//
// The process ignores SIGPIPE (main sees to that): OpenSSL writes to connections that may be gone.
//
// Thread-safe. A call blocks the calling thread, with no lock held.
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_CURL_CLIENT_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_CURL_CLIENT_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/threads/mutex.h"
#include "kubelet_cm/apiserver/api_access.h"
#include "kubelet_cm/apiserver/curl_lane.h"
#include "kubelet_cm/apiserver/http_client.h"

namespace kubelet_cm::apiserver {

class CurlClient : public HttpClient {
 public:
  explicit CurlClient(ApiAccess access);
  ~CurlClient() override;

  absl::StatusOr<HttpAnswer> Call(const HttpRequest& request) override;
  std::unique_ptr<HttpStream> Open(const HttpRequest& request) override;
  void Stop() override;

 private:
  class Stream;
  // Connections that nobody uses are kept up to this number.
  static constexpr size_t kMaxIdleLanes = 8;

  std::unique_ptr<CurlLane> TakeLane();
  void GiveBack(std::unique_ptr<CurlLane> lane);

  const ApiAccess access_;
  Mutex mu_;
  bool stopped_ ABSL_GUARDED_BY(mu_) = false;
  std::vector<std::unique_ptr<CurlLane>> idle_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_set<Stream*> streams_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_CURL_CLIENT_H_
