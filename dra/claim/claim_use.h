// Which claims a container uses, for which of their requests, and which prepared devices serve a request.
//
// Pure functions.
#ifndef KUBELET_CM_DRA_CLAIM_CLAIM_USE_H_
#define KUBELET_CM_DRA_CLAIM_CLAIM_USE_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "common/node/pod.h"
#include "dra/checkpoint/claim_state.h"
#include "dra/claim/claim_names.h"

namespace kubelet_cm::dra {

struct UsedClaim {
  std::string object_name;
  bool extended_resources = false;    // the one behind the pod's extended resources
  std::vector<std::string> requests;  // in the container's order; an empty one is all of the claim

  friend bool operator==(const UsedClaim&, const UsedClaim&) = default;
};

// In the order of the pod's claims, the one behind extended resources last; each once. It counts for the extended
// resources of which the container has some. Claims that the pod turned out not to need are left out.
absl::StatusOr<std::vector<UsedClaim>> ClaimsUsedBy(const Pod& pod, const Container& container,
                                                    const ClaimNameRules& rules);

// Whether a container that names this request (empty: all of the claim) gets the device. A driver may name a request's
// alternative, "request/subrequest", or only the request; a device that names none serves them all.
bool ServesRequest(const ClaimDevice& device, std::string_view request);

// A name that an extended resource can have: with a domain that is not Kubernetes' own, or of a device class.
bool MayBeExtendedResource(std::string_view resource);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_CLAIM_USE_H_
