// A container's devices as the pod-resources API lists them: by resource and id, with their NUMA nodes.
//
// Pure function.
#ifndef KUBELET_CM_DEVICEPLUGIN_ALLOCATION_HELD_DEVICES_H_
#define KUBELET_CM_DEVICEPLUGIN_ALLOCATION_HELD_DEVICES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/types/span.h"
#include "deviceplugin/checkpoint/device_content.h"

namespace kubelet_cm::deviceplugin {

// Nodes ascend, each once; none: the device has no topology.
using NodesPerDevice = absl::btree_map<std::string, std::vector<int64_t>>;
using HeldDevices = absl::btree_map<std::string, NodesPerDevice>;

// `entries` are of one container. Resources without devices are left out.
HeldDevices DevicesOf(absl::Span<const DeviceEntry> entries);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ALLOCATION_HELD_DEVICES_H_
