#include "deviceplugin/allocation/held_devices.h"

#include "deviceplugin/allocation/numa_filing.h"

namespace kubelet_cm::deviceplugin {

HeldDevices DevicesOf(absl::Span<const DeviceEntry> entries) {
  HeldDevices held;
  for (const DeviceEntry& entry : entries) {
    if (!entry.devices.has_value() || entry.devices->empty()) continue;
    NodesPerDevice& devices = held[entry.resource_name];
    for (const auto& [node, ids] : *entry.devices) {  // ascending
      for (const std::string& id : ids.value_or(DeviceIds())) {
        std::vector<int64_t>& nodes = devices[id];
        if (node != kNoNumaNode && (nodes.empty() || nodes.back() != node)) nodes.push_back(node);
      }
    }
  }
  return held;
}

}  // namespace kubelet_cm::deviceplugin
