// DeviceInventory: every resource that device plugins offer, who offers it, and which devices there are.
//
// The picture of a resource is what its newest connected plugin has listed; until that one has sent its first list,
// what the newest before it has listed, and if that one has gone, the last picture there was. So a plugin that is
// replaced by its successor leaves no gap. When the last plugin goes, its devices are unhealthy at once, the resource
// stays known (allocations for it fail) for a grace period, and then it is removed.
//
// Value code without a lock: its owner has one. Instants come in, and all are of one clock.
#ifndef KUBELET_CM_DEVICEPLUGIN_INVENTORY_DEVICE_INVENTORY_H_
#define KUBELET_CM_DEVICEPLUGIN_INVENTORY_DEVICE_INVENTORY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/btree_set.h"
#include "absl/time/time.h"
#include "common/clock/monotonic_time.h"
#include "deviceplugin/checkpoint/device_content.h"
#include "deviceplugin/inventory/device_list.h"
#include "deviceplugin/inventory/device_picture.h"
#include "deviceplugin/inventory/plugin_instances.h"

namespace kubelet_cm::deviceplugin {

// A resource whose plugin has been gone for longer is removed.
inline constexpr absl::Duration kStoppedGrace = absl::Minutes(5);
// For those who remove it as soon as its plugin goes.
inline constexpr absl::Duration kNoGrace = -absl::Nanoseconds(1);

// As it stands, our own.
struct InventoryRules {
  absl::Duration stopped_grace = kStoppedGrace;
  bool counts_unhealthy = true;  // devices that are not healthy are part of the capacity
};

class DeviceInventory {
 public:
  explicit DeviceInventory(const InventoryRules& rules = {}) : rules_(rules) {}

  // A resource of the checkpoint: known, without devices, its plugin gone since `now`. Nothing when it is known.
  void RestoreStopped(const std::string& resource, MonotonicTime now);

  // The newest becomes the primary. `instance.id` has never been connected before.
  void Connect(const std::string& resource, PluginInstance instance);

  struct ListChange {
    bool is_primary = false;
    // The ids whose health is another than before, appeared or vanished; sorted.
    std::vector<std::string> health_changed = {};
    bool registered_changed = false;  // whether Registered() is another
  };
  // The instance's list is remembered; the picture follows the rule above. Nothing when it is not connected.
  ListChange SetDevices(const std::string& resource, InstanceId id, std::shared_ptr<const DeviceList> devices);

  struct DisconnectChange {
    bool was_connected = false;
    bool stopped = false;  // it was the last one
    std::vector<std::string> health_changed = {};
    bool registered_changed = false;
  };
  // The newest of those that remain is the primary. Nothing when it is not connected.
  DisconnectChange Disconnect(const std::string& resource, InstanceId id, MonotonicTime now);

  // Whether the resource has, or has had within the grace period, a plugin, or came out of the checkpoint.
  bool Knows(const std::string& resource) const { return resources_.contains(resource); }
  std::vector<std::string> KnownResources() const;
  size_t size() const { return resources_.size(); }  // of those

  // The devices in the picture, of whatever health; null when the resource is not known. Devices() is good until the
  // next change.
  const DeviceList* Devices(const std::string& resource) const { return SharedDevices(resource).get(); }
  std::shared_ptr<const DeviceList> SharedDevices(const std::string& resource) const;
  DeviceHealth HealthOf(const std::string& resource, std::string_view id) const;
  bool IsHealthy(const std::string& resource, std::string_view id) const {
    return HealthOf(resource, id) == DeviceHealth::kHealthy;
  }
  int64_t HealthyCount(const std::string& resource) const;
  // What was last said of the device, whether or not its plugin is still there; healthy if nothing was.
  DeviceHealth LastReportedHealth(const std::string& resource, std::string_view id) const;

  // Nothing when no plugin is connected.
  std::optional<PluginInstance> Primary(const std::string& resource) const;
  // Whether the plugin wants to be told before a container starts: as the primary said, or the last one that there was.
  // False while none has connected.
  bool PreStartRequired(const std::string& resource) const;
  // Those that are connected, oldest first.
  std::vector<PluginInstance> Instances(const std::string& resource) const;

  // Another after every change of the resource's picture or of its primary, also when it was removed in between; 0 when
  // it is not known.
  uint64_t generation(const std::string& resource) const;

  struct Capacity {
    absl::btree_map<std::string, int64_t> capacity = {};     // devices
    absl::btree_map<std::string, int64_t> allocatable = {};  // healthy ones
    std::vector<std::string> deleted = {};                   // removed since the last call; sorted
  };
  // In a time linear in the resources. Resources whose plugin has not sent a list yet are left out. Removes what is
  // expired.
  Capacity GetCapacity(MonotonicTime now);

  // The first instant at which RemoveExpired has something to do; nothing while no resource is stopped.
  std::optional<MonotonicTime> NextExpiry() const;
  // Removes the resources whose grace is over and returns them, sorted. The next GetCapacity tells of those that it had
  // shown.
  std::vector<std::string> RemoveExpired(MonotonicTime now);

  // What the ids of all lists that are remembered would take in the state file, and no less, if the instance's were
  // `devices`. In a time linear in the instances.
  size_t IdBytesWith(const std::string& resource, InstanceId id, const DeviceList& devices) const;
  size_t id_bytes() const;  // as they are
  // The instance's last list; null when it has sent none.
  std::shared_ptr<const DeviceList> ListOf(const std::string& resource, InstanceId id) const;

  // For the checkpoint: the healthy ids of each resource that GetCapacity shows.
  RegisteredDevices Registered() const;

 private:
  struct Resource {
    PluginInstances instances;
    std::optional<DevicePicture> picture;     // nothing before the first list
    std::optional<MonotonicTime> stopped_at;  // set if, and only if, there are no instances
    uint64_t generation = 0;
    bool pre_start_required = false;
  };

  static bool HasOrphan(const Resource& resource);
  const Resource* Find(const std::string& resource) const;
  void Touch(Resource& resource) { resource.generation = ++last_generation_; }
  PictureChange Show(Resource& resource, DevicePicture picture);
  bool IsExpired(const Resource& resource, MonotonicTime now) const;

  const InventoryRules rules_;
  absl::btree_map<std::string, Resource> resources_;
  absl::btree_set<std::string> deleted_;  // removed, and GetCapacity has not told yet
  uint64_t last_generation_ = 0;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_INVENTORY_DEVICE_INVENTORY_H_
