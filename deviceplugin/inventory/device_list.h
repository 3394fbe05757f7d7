// DeviceList: the devices of one plugin as its last message told them. Immutable, so it is shared and never copied.
//
// What a plugin sends is not trusted: MakeDeviceList bounds it, drops what means nothing, and says what it found.
#ifndef KUBELET_CM_DEVICEPLUGIN_INVENTORY_DEVICE_LIST_H_
#define KUBELET_CM_DEVICEPLUGIN_INVENTORY_DEVICE_LIST_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "deviceplugin/api/v1beta1.pb.h"

namespace kubelet_cm::deviceplugin {

// A message with more devices is refused.
inline constexpr size_t kMaxDevices = 100'000;
// The API asks for ids no longer than this. Longer ones are taken, as kubelets take them, and counted.
inline constexpr size_t kMaxUsualIdBytes = 63;
// NUMA nodes have the ids 0 to 63: masks of them are 64 bits.
inline constexpr int kMaxNumaNode = 63;

// A device is on one node, seldom on more.
using NumaNodeIds = absl::InlinedVector<int, 4>;

struct ListedDevice {
  std::string id;
  bool healthy = false;
  NumaNodeIds numa_nodes = {};  // ascending, each once; empty: nothing is known of the device's place

  friend bool operator==(const ListedDevice&, const ListedDevice&) = default;
};

// Thread-safe, as what never changes is.
class DeviceList {
 public:
  // Of devices in any order; each id is there once and is not empty.
  static std::shared_ptr<const DeviceList> Of(std::vector<ListedDevice> devices);
  // The list without devices; lives as long as the program.
  static const std::shared_ptr<const DeviceList>& Empty();

  // Those of `devices` that are in `known` as well.
  static std::shared_ptr<const DeviceList> OnlyKnown(const DeviceList& devices, const DeviceList& known);

  // Sorted by id, each id once.
  absl::Span<const ListedDevice> devices() const { return devices_; }
  // Null when it is not listed.
  const ListedDevice* Find(std::string_view id) const;

  size_t size() const { return devices_.size(); }
  size_t healthy_count() const { return healthy_count_; }
  // What the ids take in the state file, and no less.
  size_t id_bytes() const { return id_bytes_; }
  // Whether the place of any device is known.
  bool has_topology() const { return has_topology_; }

  friend bool operator==(const DeviceList& a, const DeviceList& b) { return a.devices_ == b.devices_; }

 private:
  explicit DeviceList(std::vector<ListedDevice> sorted);

  const std::vector<ListedDevice> devices_;
  size_t healthy_count_ = 0;
  size_t id_bytes_ = 0;
  bool has_topology_ = false;
};

// What was odd in a message, for whoever logs it.
struct ListFindings {
  size_t dropped_empty = 0;   // devices without id: not listed
  size_t repeated = 0;        // mentions of an id beyond its first; the last one's topology counts
  size_t conflicting = 0;     // ids that were sent healthy and unhealthy: listed unhealthy
  size_t long_ids = 0;        // ids longer than kMaxUsualIdBytes: listed
  size_t bad_numa_nodes = 0;  // NUMA nodes that no machine has: ignored
  // The first ids of each kind of which it can be told, a few altogether, cut to kMaxUsualIdBytes.
  std::vector<std::string> samples = {};

  bool empty() const { return dropped_empty + repeated + conflicting + long_ids + bad_numa_nodes == 0; }
};

// The devices of `message`: healthy is what calls itself "Healthy", to the letter. kResourceExhausted, with nothing
// found, when there are too many. `findings` may be null.
absl::StatusOr<std::shared_ptr<const DeviceList>> MakeDeviceList(const v1beta1::ListAndWatchResponse& message,
                                                                 ListFindings* findings);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_INVENTORY_DEVICE_LIST_H_
