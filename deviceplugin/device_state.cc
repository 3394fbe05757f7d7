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

DeviceChanges DeviceState::TakeChanges() {
  MutexLock lock(&mu);
  DeviceChanges changes{.number = number, .entries = ledger.TakeChanges()};
  if (std::exchange(registered_changed, false)) changes.registered = inventory.Registered();
  return changes;
}

}  // namespace kubelet_cm::deviceplugin
