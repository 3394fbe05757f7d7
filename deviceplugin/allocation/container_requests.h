// Which resources a container asks device plugins for.
//
// Pure function.
#ifndef KUBELET_CM_DEVICEPLUGIN_ALLOCATION_CONTAINER_REQUESTS_H_
#define KUBELET_CM_DEVICEPLUGIN_ALLOCATION_CONTAINER_REQUESTS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "common/node/pod.h"

namespace kubelet_cm::deviceplugin {

struct DeviceRequest {
  std::string resource_name;
  int64_t count = 0;  // 0 is a request too: it fails while no device is healthy

  friend bool operator==(const DeviceRequest&, const DeviceRequest&) = default;
};

// The container's limits of resources that device plugins have, sorted by name. What a ResourceClaim backs for this
// container is left out.
std::vector<DeviceRequest> DeviceRequests(const Pod& pod, const Container& container,
                                          absl::FunctionRef<bool(std::string_view resource)> is_device_resource);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ALLOCATION_CONTAINER_REQUESTS_H_
