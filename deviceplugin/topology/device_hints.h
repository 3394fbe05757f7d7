// Which NUMA nodes the devices of a resource could come from. Pure functions.
#ifndef KUBELET_CM_DEVICEPLUGIN_TOPOLOGY_DEVICE_HINTS_H_
#define KUBELET_CM_DEVICEPLUGIN_TOPOLOGY_DEVICE_HINTS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "common/node/topology_hint.h"

namespace kubelet_cm::deviceplugin {

// With more nodes than this that host devices, only all of them together are considered: the number of hints doubles
// with each node, and it is a plugin that says where its devices are.
inline constexpr int kMostHintNodes = 12;

// What hints have to know of a device. Refers to what it was made of.
struct HintDevice {
  std::string_view id;
  absl::Span<const int> numa_nodes;  // none: nothing is known of the device's place
};

// A question about one resource. Refers to what it was made of.
struct HintRequest {
  absl::Span<const HintDevice> devices;  // all devices of the resource, of any health; sorted by id, each id once
  absl::Span<const int> machine_nodes;
  int64_t requested = 0;
  bool every_machine_node = false;  // also those that host no device
  // Ids, sorted, each once. One that is not among `devices` is a device of which nothing is known.
  absl::Span<const std::string> available = {};  // healthy, and held by nobody
  absl::Span<const std::string> reusable = {};   // held by containers of the same pod that will have ended
};

// A hint for each set of nodes that can satisfy the request: it touches every reusable device whose place is known, and
// as many reusable and available ones together as are requested. Sets are made of the machine's nodes that host
// devices, or of all of the machine's if none does or the request says so. Preferred are those of the smallest size at
// which some set touches enough devices, taken or not; so there may be no preferred one. Smaller sets come first, among
// equals the one with lower nodes.
//
// Devices are counted once, by the nodes they touch: time grows with devices * nodes + nodes * 2^nodes.
std::vector<TopologyHint> GenerateDeviceHints(const HintRequest& request);

// The nodes that devices claim to be on and the machine does not have: ascending, each once. Hints leave them out.
std::vector<int> NodesNotOnMachine(absl::Span<const HintDevice> devices, absl::Span<const int> machine_nodes);

// Whether the place of any device is known.
bool HasTopology(absl::Span<const HintDevice> devices);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_TOPOLOGY_DEVICE_HINTS_H_
