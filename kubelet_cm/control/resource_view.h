// The node's device resources as the control API shows them: what there is, how it is, who holds it.
#ifndef KUBELET_CM_KUBELET_CM_CONTROL_RESOURCE_VIEW_H_
#define KUBELET_CM_KUBELET_CM_CONTROL_RESOURCE_VIEW_H_

#include <string>

#include "deviceplugin/device_manager.h"
#include "kubelet_cm/api/control.pb.h"
#include "kubelet_cm/pods/pod_table.h"

namespace kubelet_cm {

// Of one resource, or of all when `resource` is empty; by name. Devices by id, also those that somebody holds though
// their plugin does not list them any more. Does not wait.
::kubeletcm::v1::NodeResourcesResponse ViewResources(deviceplugin::DeviceManager& devices, const PodTable& pods,
                                                     const std::string& resource);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_CONTROL_RESOURCE_VIEW_H_
