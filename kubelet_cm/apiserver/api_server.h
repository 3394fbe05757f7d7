// ApiServer: requests to a Kubernetes API server: who we are, what its errors mean.
//
// A request that is refused because the server does not know us (401) is repeated once, if the token or the certificate
// may have been renewed since.
//
// Thread-safe. Calls block until they are answered or their time is over.
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_API_SERVER_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_API_SERVER_H_

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock/clock.h"
#include "common/clock/monotonic_time.h"
#include "common/filesystem/file_system.h"
#include "kubelet_cm/apiserver/api_access.h"
#include "kubelet_cm/apiserver/bearer_token.h"
#include "kubelet_cm/apiserver/http_client.h"

namespace kubelet_cm::apiserver {

// How long a call may take, and how large its answer may be.
struct CallLimits {
  MonotonicTime deadline;
  size_t max_bytes = size_t{4} << 20;
};

class ApiServer {
 public:
  struct Dependencies {
    const Clock& clock;
    FileSystem& files;
    HttpClient& http;
  };

  // What is given outlives the object.
  ApiServer(Dependencies dependencies, const ApiAccess& access);

  // The body of the answer. Paths begin with a slash and are escaped. Errors: HttpClient, ApiError.
  absl::StatusOr<std::string> Get(const std::string& path, const CallLimits& limits);
  absl::Status Delete(const std::string& path, const CallLimits& limits);
  // With JSON as the body.
  absl::Status Post(const std::string& path, const std::string& body, const CallLimits& limits);
  absl::Status Put(const std::string& path, const std::string& body, const CallLimits& limits);

  // A stream for StartWatch, which ends after `lifetime` at the latest.
  std::unique_ptr<HttpStream> OpenWatch(const std::string& path, absl::Duration lifetime);
  // OK: what can be read from it are events.
  absl::Status StartWatch(HttpStream& stream, const std::string& path);

  const Clock& clock() const { return deps_.clock; }

 private:
  HttpRequest RequestFor(const std::string& method, const std::string& path, const std::string& token) const;
  absl::StatusOr<std::string> Call(const std::string& method, const std::string& path, const CallLimits& limits,
                                   const std::string& body = "");
  // After a 401: whether another attempt may fare better.
  bool MayRetry(const std::string& refused_token);

  const Dependencies deps_;
  const std::string server_;
  const std::string basic_;          // for Authorization; empty: none
  const bool has_certificate_file_;  // which may be renewed
  BearerToken token_;
};

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_API_SERVER_H_
