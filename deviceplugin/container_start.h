// What happens when a container is started, be it for the first time or again: plugins that want to are told, devices
// are allocated if the pod was admitted before its plugin was known, and the plugins' settings are put together.
//
// Called by any thread, with no lock held; blocks for the plugins' answers.
#ifndef KUBELET_CM_DEVICEPLUGIN_CONTAINER_START_H_
#define KUBELET_CM_DEVICEPLUGIN_CONTAINER_START_H_

#include <optional>

#include "absl/status/statusor.h"
#include "common/node/pod.h"
#include "deviceplugin/allocation/run_options.h"
#include "deviceplugin/pod_allocation.h"

namespace kubelet_cm::deviceplugin {

// Nothing if the container, one of the pod's, has no devices. Errors have upstream's texts.
absl::StatusOr<std::optional<RunOptions>> PrepareContainerStart(const AllocationParts& parts, const Pod& pod,
                                                                const Container& container);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_CONTAINER_START_H_
