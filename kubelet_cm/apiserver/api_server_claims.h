// ApiServerClaims: ResourceClaims from an API server. The server is asked each time, as kubelets do: a reservation that
// was made a moment ago counts. Where it cannot be reached, the claim as it was last heard of is the answer, if there
// is a watch; what the server does say (that there is no such claim, that we may not ask) is never overruled.
//
// Thread-safe. A call takes kClaimTimeout at most.
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_API_SERVER_CLAIMS_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_API_SERVER_CLAIMS_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/log/logger.h"
#include "dra/claim/claim_object.h"
#include "dra/claim_source.h"
#include "kubelet_cm/apiserver/claim_watch.h"
#include "kubelet_cm/apiserver/resource_api.h"

namespace kubelet_cm::apiserver {

inline constexpr absl::Duration kClaimTimeout = absl::Seconds(10);

class ApiServerClaims : public dra::ClaimSource {
 public:
  // `watch` may be null. What is given outlives the object.
  ApiServerClaims(ResourceApi& api, const ClaimWatch* watch, Logger& log) : api_(api), watch_(watch), log_(log) {}

  absl::StatusOr<dra::ClaimObject> Get(const std::string& namespace_name, const std::string& name) override;

 private:
  absl::StatusOr<dra::ClaimObject> Ask(const std::string& namespace_name, const std::string& name);

  ResourceApi& api_;
  const ClaimWatch* const watch_;
  Logger& log_;
};

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_API_SERVER_CLAIMS_H_
