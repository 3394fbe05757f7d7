// How many devices of which resource hints are asked for. Pure functions.
#ifndef KUBELET_CM_DEVICEPLUGIN_TOPOLOGY_POD_REQUESTS_H_
#define KUBELET_CM_DEVICEPLUGIN_TOPOLOGY_POD_REQUESTS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/container/btree_map.h"
#include "absl/functional/function_ref.h"
#include "common/node/pod.h"

namespace kubelet_cm::deviceplugin {

using ResourceAmounts = absl::btree_map<std::string, int64_t>;  // by resource
// Whether a device plugin offers, or a pod holds, the resource.
using IsDeviceResource = absl::FunctionRef<bool(std::string_view)>;

// The most that the containers of the pod need at one time: the app containers run beside all sidecars; an init
// container runs beside the sidecars before it. Of what a pod can limit as a whole (cpu, memory, hugepages; never
// devices) the pod's own limit counts instead. What a claim backs does not count, and overhead is not part of it. Sums
// beyond the numbers' range stop at its end.
ResourceAmounts PodLimits(const Pod& pod);

// The device resources among the limits: of a container for hints of container scope, of the pod for those of pod
// scope. A limit of 0 is a request too.
ResourceAmounts ContainerDeviceRequests(const Container& container, IsDeviceResource is_device_resource);
ResourceAmounts PodDeviceRequests(const Pod& pod, IsDeviceResource is_device_resource);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_TOPOLOGY_POD_REQUESTS_H_
