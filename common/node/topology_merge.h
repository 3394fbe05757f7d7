// Merging what all hint providers say into the one hint that a pod or container is placed by, and deciding whether it
// is admitted: the kubelet's topology manager as a function.
#ifndef KUBELET_CM_COMMON_NODE_TOPOLOGY_MERGE_H_
#define KUBELET_CM_COMMON_NODE_TOPOLOGY_MERGE_H_

#include "absl/types/span.h"
#include "common/node/hint_order.h"
#include "common/node/topology_hint.h"
#include "common/node/topology_policy.h"

namespace kubelet_cm {

struct MergedHint {
  TopologyHint hint;
  bool admit = false;

  friend bool operator==(const MergedHint&, const MergedHint&) = default;
};

// The best hint of all ways to take one hint for each resource: their nodes are intersected, and the outcome is
// preferred if all are preferred and name the same nodes. Where no way leaves a node: all nodes of the machine, not
// preferred.
//
// `prefer_closest` is the policy option prefer-closest-numa-nodes: among hints of as many nodes, those nearer to each
// other. Null: the option is off. The single-numa-node policy does not look at it.
//
// The ways are not gone through one by one (their number is the product of the lists' lengths). With n nodes among the
// hints, a list of h hints costs at most h * 2^n steps, however many lists there are.
MergedHint MergeHints(TopologyPolicy policy, absl::Span<const int> machine_nodes,
                      absl::Span<const ProviderHints> providers, const NumaDistances* prefer_closest = nullptr);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_NODE_TOPOLOGY_MERGE_H_
