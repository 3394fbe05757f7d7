// What a container is started with, as the control API says it.
//
// Pure function.
#ifndef KUBELET_CM_KUBELET_CM_CONTROL_START_OPTIONS_VIEW_H_
#define KUBELET_CM_KUBELET_CM_CONTROL_START_OPTIONS_VIEW_H_

#include "kubelet_cm/admission/container_manager.h"
#include "kubelet_cm/api/control.pb.h"

namespace kubelet_cm {

// CDI names: the claims' first, then the device plugins'.
::kubeletcm::v1::ContainerOptionsResponse ViewStartOptions(const StartOptions& options);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_CONTROL_START_OPTIONS_VIEW_H_
