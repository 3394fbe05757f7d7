// Whether a pod may use a ResourceClaim on this node, and what the claim table has to know of it.
//
// Pure functions. Errors have the kubelet's texts.
#ifndef KUBELET_CM_DRA_CLAIM_CLAIM_CHECK_H_
#define KUBELET_CM_DRA_CLAIM_CLAIM_CHECK_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/node/pod.h"
#include "dra/claim/allocated_claim.h"
#include "dra/claim/claim_names.h"
#include "dra/claim/claim_object.h"

namespace kubelet_cm::dra {

struct ClaimCheckRules {
  // With DRAWorkloadResourceClaims: the pod's scheduling group, whose claims are the pod's too. Empty: none.
  std::string pod_group = {};
  bool optional_node_operations = false;  // DRAOptionalNodeOperations
  // Until 1.33: what a claim that is not reserved for the pod is called then, in other words. Empty: the newest words.
  std::string refused_as = {};
};

// Whether a claim that was made from a template was made for this pod, or for its group.
absl::Status CheckOwner(const Pod& pod, const ClaimObject& claim, std::string_view pod_group);
// Whether the claim is reserved for the pod, or for its group.
absl::Status CheckReservation(const Pod& pod, const ClaimObject& claim, std::string_view pod_group);

// The drivers that have a part in the allocation, with the node operations that they want skipped: those that every one
// of the driver's results names, or "*" if every one has that. Access for administration is as good as any other.
absl::StatusOr<AllocatedClaim> AllocatedClaimOf(const ClaimObject& object, bool optional_node_operations);

// All of these; the owner only if the name asks for it.
absl::StatusOr<AllocatedClaim> CheckClaim(const Pod& pod, const PodClaimName& name, const ClaimObject& claim,
                                          const ClaimCheckRules& rules);

// The drivers that have to be there for these claims, prepared or not; sorted.
std::vector<std::string> DriversToPrepare(absl::Span<const AllocatedClaim> claims);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_CLAIM_CHECK_H_
