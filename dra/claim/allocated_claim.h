// AllocatedClaim: what the DRA manager makes of a ClaimObject that a pod may use (claim_check.h), and the claim table
// takes in. Plain values.
#ifndef KUBELET_CM_DRA_CLAIM_ALLOCATED_CLAIM_H_
#define KUBELET_CM_DRA_CLAIM_ALLOCATED_CLAIM_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/container/btree_map.h"
#include "dra/claim/claim_object.h"

namespace kubelet_cm::dra {

// The node operations that a driver may not want to be called for.
inline constexpr std::string_view kSkipAll = "*";
inline constexpr std::string_view kSkipPrepare = "NodePrepareResources";
inline constexpr std::string_view kSkipUnprepare = "NodeUnprepareResources";

struct AllocatedDriver {
  // Sorted. Names that nobody knows are kept and mean nothing.
  std::vector<std::string> skip_node_operations = {};

  friend bool operator==(const AllocatedDriver&, const AllocatedDriver&) = default;
};

struct AllocatedClaim {
  ClaimId id;
  absl::btree_map<std::string, AllocatedDriver> drivers = {};  // each that has a part in the allocation

  // Until 1.30.
  std::string class_name = {};
  std::string driver_name = {};
  std::vector<ResourceHandle> handles = {};  // in the order of the allocation

  friend bool operator==(const AllocatedClaim&, const AllocatedClaim&) = default;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_ALLOCATED_CLAIM_H_
