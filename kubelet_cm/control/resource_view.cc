#include "kubelet_cm/control/resource_view.h"

#include <memory>
#include <vector>

#include "absl/container/btree_map.h"
#include "common/threads/mutex.h"
#include "deviceplugin/allocation/device_status.h"
#include "deviceplugin/device_state.h"

namespace kubelet_cm {
namespace {

using ::kubeletcm::v1::NodeResourcesResponse;

using deviceplugin::DeviceEntry;
using deviceplugin::DeviceHealth;
using deviceplugin::DeviceManager;
using deviceplugin::DeviceState;

struct Holder {
  std::string pod_uid;
  std::string container;
};

struct SeenDevice {
  DeviceHealth health = DeviceHealth::kUnknown;
  deviceplugin::NumaNodeIds numa_nodes = {};
  std::vector<Holder> holders = {};
};

struct SeenResource {
  bool connected = false;
  absl::btree_map<std::string, SeenDevice> devices = {};
};

using SeenResources = absl::btree_map<std::string, SeenResource>;

SeenResource LookAt(const DeviceState& state, const std::string& name) ABSL_EXCLUSIVE_LOCKS_REQUIRED(state.mu) {
  SeenResource seen{.connected = state.inventory.Primary(name).has_value()};
  for (const deviceplugin::ListedDevice& device : state.inventory.SharedDevices(name)->devices()) {
    seen.devices[device.id] = {.health = state.inventory.HealthOf(name, device.id), .numa_nodes = device.numa_nodes};
  }
  return seen;
}

SeenResources LookAtAll(DeviceManager& devices, const std::string& resource) {
  SeenResources seen;
  std::vector<DeviceEntry> entries;
  {
    DeviceState& state = devices.state();
    MutexLock lock(&state.mu);
    for (const std::string& name : state.inventory.KnownResources()) {
      if (resource.empty() || name == resource) seen[name] = LookAt(state, name);
    }
    entries = state.ledger.Entries();
  }
  for (const DeviceEntry& entry : entries) {
    if (!resource.empty() && entry.resource_name != resource) continue;
    SeenResource& held = seen[entry.resource_name];
    for (const std::string_view id : deviceplugin::FlatDevices(entry)) {
      held.devices[std::string(id)].holders.push_back({.pod_uid = entry.pod_uid, .container = entry.container_name});
    }
  }
  return seen;
}

void Show(const std::string& id, const SeenDevice& seen, const PodTable& pods, NodeResourcesResponse::Device* view) {
  view->set_id(id);
  const std::string_view health = deviceplugin::HealthText(seen.health);
  view->set_health(health.data(), health.size());
  for (const int node : seen.numa_nodes) view->add_numa_nodes(node);
  for (const Holder& holder : seen.holders) {
    NodeResourcesResponse::Holder& to = *view->add_holders();
    to.set_container(holder.container);
    to.mutable_pod()->set_uid(holder.pod_uid);
    const SharedPodRecord record = pods.Find(holder.pod_uid);
    if (record == nullptr) continue;
    to.mutable_pod()->set_namespace_(record->pod->namespace_name);
    to.mutable_pod()->set_name(record->pod->name);
  }
}

}  // namespace

NodeResourcesResponse ViewResources(DeviceManager& devices, const PodTable& pods, const std::string& resource) {
  const deviceplugin::DeviceInventory::Capacity capacity = devices.GetCapacity();
  NodeResourcesResponse response;
  for (const auto& [name, seen] : LookAtAll(devices, resource)) {
    NodeResourcesResponse::Resource& view = *response.add_resources();
    view.set_name(name);
    view.set_connected(seen.connected);
    if (const auto counted = capacity.capacity.find(name); counted != capacity.capacity.end()) {
      view.set_capacity(counted->second);
      view.set_allocatable(capacity.allocatable.at(name));
    }
    int64_t allocated = 0;
    for (const auto& [id, device] : seen.devices) {
      if (!device.holders.empty()) ++allocated;
      Show(id, device, pods, view.add_devices());
    }
    view.set_allocated(allocated);
  }
  return response;
}

}  // namespace kubelet_cm
