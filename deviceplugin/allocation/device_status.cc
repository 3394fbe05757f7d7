#include "deviceplugin/allocation/device_status.h"

#include <algorithm>
#include <utility>

#include "deviceplugin/allocation/numa_filing.h"

namespace kubelet_cm::deviceplugin {

std::string_view HealthText(DeviceHealth health) {
  switch (health) {
    case DeviceHealth::kHealthy:
      return "Healthy";
    case DeviceHealth::kUnhealthy:
      return "Unhealthy";
    case DeviceHealth::kUnknown:
      break;
  }
  return "Unknown";
}

void UpdateDeviceStatus(const Container& container, absl::Span<const DeviceEntry> entries, DeviceHealthOf health_of,
                        std::vector<AllocatedResourceStatus>* statuses) {
  if (container.kind != ContainerKind::kApp) return;
  for (const DeviceEntry& entry : entries) {
    AllocatedResourceStatus status{.name = entry.resource_name, .devices = {}};
    for (const std::string& id : SortedIds(entry.devices)) {
      status.devices.push_back(
          {.resource_id = id, .health = std::string(HealthText(health_of(entry.resource_name, id)))});
    }
    const auto existing = std::find_if(statuses->begin(), statuses->end(),
                                       [&](const AllocatedResourceStatus& other) { return other.name == status.name; });
    if (existing != statuses->end()) {
      *existing = std::move(status);
    } else {
      statuses->push_back(std::move(status));
    }
  }
}

}  // namespace kubelet_cm::deviceplugin
