// The plugins of the node as the control API shows them: device plugins, DRA drivers, and what lies in the watched
// folder.
#ifndef KUBELET_CM_KUBELET_CM_CONTROL_PLUGIN_VIEW_H_
#define KUBELET_CM_KUBELET_CM_CONTROL_PLUGIN_VIEW_H_

#include <vector>

#include "deviceplugin/device_manager.h"
#include "dra/plugin/driver_registry.h"
#include "kubelet_cm/api/control.pb.h"
#include "kubelet_cm/pluginwatcher/plugin_table.h"

namespace kubelet_cm {

// Device plugins by resource, drivers by name, each one's oldest instance first; then the watched sockets that are not
// registered, by path. `drivers` may be null. Does not wait.
::kubeletcm::v1::ListPluginsResponse ViewPlugins(deviceplugin::DeviceManager& devices,
                                                 const dra::DriverRegistry* drivers,
                                                 const std::vector<pluginwatcher::PluginRow>& watched);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_CONTROL_PLUGIN_VIEW_H_
