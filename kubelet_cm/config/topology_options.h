// The topology manager's policy options, as flags and files give them: "prefer-closest-numa-nodes",
// "max-allowable-numa-nodes".
#ifndef KUBELET_CM_KUBELET_CM_CONFIG_TOPOLOGY_OPTIONS_H_
#define KUBELET_CM_KUBELET_CM_CONFIG_TOPOLOGY_OPTIONS_H_

#include <string>
#include <string_view>

#include "absl/container/btree_map.h"
#include "absl/status/status.h"
#include "kubelet_cm/config/daemon_options.h"

namespace kubelet_cm::config {

// kInvalidArgument with the kubelet's text for an option that there is not and for a value that it does not take.
absl::Status SetTopologyOption(const std::string& name, std::string_view value, TopologySettings* settings);

// What is not at its default: name to value.
absl::btree_map<std::string, std::string> TopologyOptionValues(const TopologySettings& settings);

}  // namespace kubelet_cm::config

#endif  // KUBELET_CM_KUBELET_CM_CONFIG_TOPOLOGY_OPTIONS_H_
