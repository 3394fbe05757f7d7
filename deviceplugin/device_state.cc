#include "deviceplugin/device_state.h"

#include <iterator>
#include <utility>

namespace kubelet_cm::deviceplugin {
namespace {

// Formats before v2 have no NUMA nodes.
RestoredNuma NumaOf(const DeviceRestore& restored) {
  if (restored.format != DeviceFormat::kV2) return RestoredNuma::kAssumed;
  return restored.doubts_node_zero ? RestoredNuma::kZeroAssumed : RestoredNuma::kKnown;
}

}  // namespace

DeviceState::DeviceState(const DeviceRestore& restored, MonotonicTime now, std::vector<CheckpointProblem>* problems,
                         DeviceLimits given_limits, const InventoryRules& rules)
    : limits(given_limits), inventory(rules) {
  MutexLock lock(&mu);
  std::vector<CheckpointProblem> found =
      ledger.Restore(restored.content.entries.value_or(std::vector<DeviceEntry>()), NumaOf(restored));
  std::move(found.begin(), found.end(), std::back_inserter(*problems));
  for (const auto& [resource, ids] : restored.content.registered.value_or(RegisteredDevices())) {
    inventory.RestoreStopped(resource, now);
  }
  for (const std::string& resource : restored.lost_resources) inventory.RestoreStopped(resource, now);
}

std::vector<std::string> DeviceState::Reusable(const Pod& pod, const std::string& resource,
                                               std::string_view container_name, SidecarDevices sidecars) const {
  std::vector<std::string> ids = ReusableDevices(pod, ledger, resource, container_name, sidecars);
  std::vector<std::string> healthy;
  for (std::string& id : ids) {
    if (inventory.IsHealthy(resource, id)) healthy.push_back(std::move(id));
  }
  return healthy;
}

DeviceChanges DeviceState::TakeChanges() {
  MutexLock lock(&mu);
  DeviceChanges changes{.number = number, .entries = ledger.TakeChanges()};
  if (std::exchange(registered_changed, false)) changes.registered = inventory.Registered();
  return changes;
}

}  // namespace kubelet_cm::deviceplugin
