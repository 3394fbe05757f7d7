// PluginInstances: the connected plugins of one resource, each with the last list that it sent.
//
// Several are connected while a plugin is being replaced: the newest one is asked for devices.
#ifndef KUBELET_CM_DEVICEPLUGIN_INVENTORY_PLUGIN_INSTANCES_H_
#define KUBELET_CM_DEVICEPLUGIN_INVENTORY_PLUGIN_INSTANCES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "deviceplugin/inventory/device_list.h"

namespace kubelet_cm::deviceplugin {

// Given once in the life of the process; a larger one connected later.
using InstanceId = uint64_t;

struct PluginInstance {
  InstanceId id = 0;
  std::string socket_path = {};
  bool pre_start_required = false;
  bool get_preferred_allocation_available = false;

  friend bool operator==(const PluginInstance&, const PluginInstance&) = default;
};

// A plain value; whoever owns it has the lock.
class PluginInstances {
 public:
  // `instance.id` is not connected yet.
  void Add(PluginInstance instance);
  // False when it is not connected.
  bool Remove(InstanceId id);
  bool Contains(InstanceId id) const { return connected_.contains(id); }
  bool empty() const { return connected_.empty(); }

  // Replaces what the instance, which is connected, has sent before.
  void SetList(InstanceId id, std::shared_ptr<const DeviceList> list);

  // The primary: the newest. Nothing when none is connected.
  std::optional<PluginInstance> Newest() const;
  // The list of the newest of those that have sent one; null when none has.
  std::shared_ptr<const DeviceList> NewestList() const;
  // What the instance has sent; null when nothing, or when it is not connected.
  std::shared_ptr<const DeviceList> ListOf(InstanceId id) const;
  // Of all lists.
  size_t id_bytes() const;
  // Oldest first.
  std::vector<PluginInstance> All() const;

 private:
  struct Connected {
    PluginInstance instance;
    std::shared_ptr<const DeviceList> list;  // null until its first
  };
  absl::btree_map<InstanceId, Connected> connected_;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_INVENTORY_PLUGIN_INSTANCES_H_
