// The health of a container's devices as its status shows it (allocatedResourcesStatus).
//
// Pure functions.
#ifndef KUBELET_CM_DEVICEPLUGIN_ALLOCATION_DEVICE_STATUS_H_
#define KUBELET_CM_DEVICEPLUGIN_ALLOCATION_DEVICE_STATUS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "common/node/pod.h"
#include "deviceplugin/checkpoint/device_content.h"
#include "deviceplugin/inventory/device_picture.h"

namespace kubelet_cm::deviceplugin {

// "Healthy", "Unhealthy" or "Unknown", as the API has them.
std::string_view HealthText(DeviceHealth health);

struct AllocatedDevice {
  std::string resource_id;  // the device's
  std::string health;

  friend bool operator==(const AllocatedDevice&, const AllocatedDevice&) = default;
};

struct AllocatedResourceStatus {
  std::string name;                      // the resource's
  std::vector<AllocatedDevice> devices;  // sorted by id

  friend bool operator==(const AllocatedResourceStatus&, const AllocatedResourceStatus&) = default;
};

using DeviceHealthOf = absl::FunctionRef<DeviceHealth(const std::string& resource, std::string_view id)>;

// Brings the status of an app container up to date: replaces what it says of the resources that the container holds, or
// adds it at the end, by resource. `entries` are the container's. Other containers' statuses stay as they are.
//
// Unlike upstream, which keeps the last word of a plugin that is gone, a device is Unknown when nobody answers for it.
void UpdateDeviceStatus(const Container& container, absl::Span<const DeviceEntry> entries, DeviceHealthOf health_of,
                        std::vector<AllocatedResourceStatus>* statuses);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ALLOCATION_DEVICE_STATUS_H_
