// Which devices of its pod a container can take over: what init containers before it hold, as they have ended when it
// starts. What a sidecar or an app container holds is in use as long as the pod lives.
//
// Nothing is remembered from one container to the next: the ledger says who holds what, entries and reservations alike.
// So the outcome is the same after a restart, and whatever other pods did in between. Pure function.
#ifndef KUBELET_CM_DEVICEPLUGIN_ALLOCATION_REUSABLE_DEVICES_H_
#define KUBELET_CM_DEVICEPLUGIN_ALLOCATION_REUSABLE_DEVICES_H_

#include <string>
#include <string_view>
#include <vector>

#include "common/node/pod.h"
#include "deviceplugin/allocation/device_ledger.h"

namespace kubelet_cm::deviceplugin {

// What becomes of a sidecar's devices.
enum class SidecarDevices {
  kItsOwn,       // nobody else gets them; since 1.29
  kForTheOthers  // as those of any init container
};

// Ids of the resource, sorted. None for a container that the pod does not have.
std::vector<std::string> ReusableDevices(const Pod& pod, const DeviceLedger& ledger, std::string_view resource,
                                         std::string_view container_name,
                                         SidecarDevices sidecars = SidecarDevices::kItsOwn);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ALLOCATION_REUSABLE_DEVICES_H_
