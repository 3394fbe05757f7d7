// Which ResourceClaims a pod has, and under which names the API server knows them.
//
// Pure functions.
#ifndef KUBELET_CM_DRA_CLAIM_CLAIM_NAMES_H_
#define KUBELET_CM_DRA_CLAIM_CLAIM_NAMES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/node/pod.h"

namespace kubelet_cm::dra {

// What kubelets did otherwise; as it stands, the newest.
struct ClaimNameRules {
  bool extended_resources = true;   // since 1.34: the claim behind extended resources is one more
  bool only_used = false;           // until 1.30: claims that no container names are left alone
  bool any_use_is_of_all = false;   // until 1.27: ... and one that names any claim uses all of the pod's
  bool from_template_name = false;  // until 1.27: what was made from a template is called "pod-entry"
  bool verbatim_requests = false;   // kubelets: a container's devices name its very request, and no subrequest of it
};

struct PodClaimName {
  std::string entry;         // of the pod's claims; empty for the one behind extended resources
  std::string object_name;   // of the ResourceClaim
  bool check_owner = false;  // it was made for this pod, and must be owned by it

  friend bool operator==(const PodClaimName&, const PodClaimName&) = default;
};

// Nothing: the pod needs no object for this entry.
absl::StatusOr<std::optional<PodClaimName>> NameOfClaim(const Pod& pod, const PodClaim& claim,
                                                        const ClaimNameRules& rules);

// In the order of the pod's spec, the one behind extended resources last. Those before the first that has an error are
// added all the same.
absl::Status AddNamesOfClaims(const Pod& pod, const ClaimNameRules& rules, std::vector<PodClaimName>& names);
// All of them or an error.
absl::StatusOr<std::vector<PodClaimName>> NamesOfClaims(const Pod& pod, const ClaimNameRules& rules);

// Null if the pod has no such entry.
const PodClaim* FindPodClaim(const Pod& pod, std::string_view entry);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_CLAIM_NAMES_H_
