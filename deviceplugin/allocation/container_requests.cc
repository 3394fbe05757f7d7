#include "deviceplugin/allocation/container_requests.h"

namespace kubelet_cm::deviceplugin {

std::vector<DeviceRequest> DeviceRequests(const Pod& pod, const Container& container,
                                          absl::FunctionRef<bool(std::string_view resource)> is_device_resource) {
  std::vector<DeviceRequest> requests;
  for (const auto& [resource, count] : container.limits) {
    if (!is_device_resource(resource) || pod.BackedByClaim(container.name, resource)) continue;
    requests.push_back({.resource_name = resource, .count = count});
  }
  return requests;
}

}  // namespace kubelet_cm::deviceplugin
