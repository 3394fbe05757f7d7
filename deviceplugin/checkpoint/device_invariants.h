// What must hold of a device checkpoint's content beyond its being readable.
#ifndef KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_INVARIANTS_H_
#define KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_INVARIANTS_H_

#include <vector>

#include "checkpointmanager/checkpoint_problem.h"
#include "deviceplugin/checkpoint/device_content.h"

namespace kubelet_cm::deviceplugin {

// Devices that two pods hold, held devices that are not registered, allocation responses that do not parse: in the
// order of the entries. Containers of one pod may hold the same device. Kubelets register healthy devices only, so one
// that is not registered may have become unhealthy since. Pure function.
std::vector<CheckpointProblem> DeviceProblems(const DeviceContent& content);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_INVARIANTS_H_
