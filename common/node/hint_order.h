// HintOrder: which of two merged hints a topology policy takes. Plain values.
//
// Every comparison here is part of a total order over non-empty masks, so the best of many does not depend on the order
// in which they are looked at.
#ifndef KUBELET_CM_COMMON_NODE_HINT_ORDER_H_
#define KUBELET_CM_COMMON_NODE_HINT_ORDER_H_

#include <cstdint>
#include <vector>

#include "absl/container/btree_map.h"
#include "common/node/numa_mask.h"
#include "common/node/topology_hint.h"

namespace kubelet_cm {

// How far NUMA nodes are from each other: by node, its distances to the nodes 0, 1, 2 ... as the kernel shows them. An
// entry that is missing counts as 255, the kernel's word for "cannot be reached".
using NumaDistances = absl::btree_map<int, std::vector<uint32_t>>;

class HintOrder {
 public:
  // `needed_nodes`: how many nodes the resource needs that needs the most; hints that are not preferred are held
  // against it. `distances` outlives this; null: nearness does not matter.
  HintOrder(int needed_nodes, const NumaDistances* distances) : needed_nodes_(needed_nodes), distances_(distances) {}

  // Whether a policy leaves `current` for `candidate`. Both have nodes, at least one.
  bool IsBetter(const TopologyHint& candidate, const TopologyHint& current) const;

 private:
  // Fewer nodes; then, where distances are given, those nearer to each other; then the lower mask.
  bool IsFitter(NumaMask candidate, NumaMask current) const;
  // First masks of just the number needed, then smaller ones beginning with the largest, then larger ones beginning
  // with the smallest.
  bool IsBetterUnpreferred(NumaMask candidate, NumaMask current) const;
  // The sum over all pairs of nodes: among masks of the same size it orders as the average does.
  uint64_t DistanceSum(NumaMask mask) const;

  int needed_nodes_;
  const NumaDistances* distances_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_NODE_HINT_ORDER_H_
