// What the device manager's checkpoint holds, in its newest form: who holds which devices, and which devices there are.
//
// One form for all file formats. Older ones have no NUMA nodes: their devices stand under node 0, as the kubelets that
// converted them put them. nil and empty are kept apart (std::nullopt is Go's nil) and lists keep their order, because
// the checksum depends on both. Plain values.
#ifndef KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_CONTENT_H_
#define KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_CONTENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "absl/container/btree_map.h"

namespace kubelet_cm::deviceplugin {

using DeviceIds = std::vector<std::string>;
using DevicesPerNuma = absl::btree_map<int64_t, std::optional<DeviceIds>>;
using RegisteredDevices = absl::btree_map<std::string, std::optional<DeviceIds>>;

// The devices of one resource that one container holds.
struct DeviceEntry {
  std::string pod_uid;
  std::string container_name;
  std::string resource_name;
  std::optional<DevicesPerNuma> devices;
  std::optional<std::string> alloc_response;  // a ContainerAllocateResponse as it was on the wire

  friend bool operator==(const DeviceEntry&, const DeviceEntry&) = default;
};

struct DeviceContent {
  std::optional<std::vector<DeviceEntry>> entries;
  std::optional<RegisteredDevices> registered;

  friend bool operator==(const DeviceContent&, const DeviceContent&) = default;
};

// What tells entries apart, and the order in which this project writes them.
using DeviceEntryKey = std::tuple<std::string_view, std::string_view, std::string_view>;
inline DeviceEntryKey KeyOf(const DeviceEntry& entry) {
  return {entry.pod_uid, entry.container_name, entry.resource_name};
}

// The devices of an entry without their NUMA nodes: in the order of the nodes, each once. Refers to the entry.
std::vector<std::string_view> FlatDevices(const DeviceEntry& entry);

// The 1.8 format has an entry for each device; here they come together by pod, container and resource, in the order in
// which they first appear.
void GroupEntries(DeviceContent* content);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_CONTENT_H_
