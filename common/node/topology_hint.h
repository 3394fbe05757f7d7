// TopologyHint: where a resource could be taken from, as a hint provider (a device manager) tells it. Plain values.
#ifndef KUBELET_CM_COMMON_NODE_TOPOLOGY_HINT_H_
#define KUBELET_CM_COMMON_NODE_TOPOLOGY_HINT_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "common/node/numa_mask.h"

namespace kubelet_cm {

struct TopologyHint {
  std::optional<NumaMask> nodes;  // nothing: wherever
  bool preferred = false;

  friend bool operator==(const TopologyHint&, const TopologyHint&) = default;
};

// The hints for one resource. Nothing: no preference. None: no nodes can satisfy the request.
using ResourceHints = std::optional<std::vector<TopologyHint>>;

// What one provider says, by resource. No resource: it has no preference for anything.
using ProviderHints = absl::btree_map<std::string, ResourceHints>;

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_NODE_TOPOLOGY_HINT_H_
