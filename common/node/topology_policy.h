// The topology manager's settings by the names they have in the kubelet's flags and configuration. Plain values.
#ifndef KUBELET_CM_COMMON_NODE_TOPOLOGY_POLICY_H_
#define KUBELET_CM_COMMON_NODE_TOPOLOGY_POLICY_H_

#include <cstddef>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace kubelet_cm {

enum class TopologyPolicy {
  kNone,            // hints are not asked for
  kBestEffort,      // hints are followed; a pod is admitted whatever they say
  kRestricted,      // a pod is admitted if its best hint is preferred
  kSingleNumaNode,  // a pod is admitted if everything it needs comes from one NUMA node
};

// For what hints are asked together.
enum class TopologyScope { kContainer, kPod };

// The policy option max-allowable-numa-nodes, where it is not given.
inline constexpr int kDefaultMaxAllowableNumaNodes = 8;

// InvalidArgument with the kubelet's text for a name that is none.
absl::StatusOr<TopologyPolicy> ParseTopologyPolicy(std::string_view name);
absl::StatusOr<TopologyScope> ParseTopologyScope(std::string_view name);

std::string_view TopologyPolicyName(TopologyPolicy policy);
std::string_view TopologyScopeName(TopologyScope scope);

// FailedPrecondition with the kubelet's text if the machine has too many NUMA nodes for the policy: the number of hints
// doubles with each node.
absl::Status CheckNumaNodeCount(TopologyPolicy policy, size_t node_count,
                                int max_allowable_numa_nodes = kDefaultMaxAllowableNumaNodes);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_NODE_TOPOLOGY_POLICY_H_
