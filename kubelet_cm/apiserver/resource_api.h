// ResourceApi: the group resource.k8s.io of an API server, in the newest version that the server and we have. Which one
// that is is asked once, and again when the server does not know it any more: it has been upgraded, or downgraded.
//
// Thread-safe, as ApiServer.
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_RESOURCE_API_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_RESOURCE_API_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/threads/mutex.h"
#include "dra/claim/claim_decoder.h"
#include "kubelet_cm/apiserver/api_server.h"

namespace kubelet_cm::apiserver {

// "v1" of a list of versions as the server tells them; nothing is empty: none that we have.
std::string NewestKnownVersion(std::string_view api_group_json);

class ResourceApi {
 public:
  // An answer, and how what is in it is to be read.
  struct Answer {
    std::string body;
    dra::ClaimApi api;
  };

  // `server` outlives this.
  explicit ResourceApi(ApiServer& server) : server_(server) {}

  // `rest` is what follows the version in the path: "resourceslices?limit=1".
  absl::StatusOr<Answer> Get(const std::string& rest, const CallLimits& limits);
  // For fields that have other names in other versions.
  absl::Status Delete(absl::FunctionRef<std::string(dra::ClaimApi)> rest, const CallLimits& limits);

  // "/apis/resource.k8s.io/v1/", for a watch.
  absl::StatusOr<std::string> Path(const CallLimits& limits);
  // The server does not know this path any more.
  void ForgetPath(const std::string& path);

  ApiServer& server() { return server_; }

 private:
  template <typename Ask>
  absl::Status AskVersion(const CallLimits& limits, Ask ask);

  ApiServer& server_;
  Mutex mu_;
  std::string version_ ABSL_GUARDED_BY(mu_);  // empty: not known
};

// The API that a path of Path is of.
dra::ClaimApi ApiOfPath(std::string_view path);

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_RESOURCE_API_H_
