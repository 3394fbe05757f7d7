// NodeViewer: all that the control API shows of the node, taken from the managers when it is asked for.
//
// Thread-safe. No call waits for I/O.
#ifndef KUBELET_CM_KUBELET_CM_CONTROL_NODE_VIEWER_H_
#define KUBELET_CM_KUBELET_CM_CONTROL_NODE_VIEWER_H_

#include <string>

#include "deviceplugin/device_manager.h"
#include "dra/dra_stack.h"
#include "kubelet_cm/api/control.pb.h"
#include "kubelet_cm/control/explanation.h"
#include "kubelet_cm/pluginwatcher/plugin_watcher.h"
#include "kubelet_cm/pods/pod_record.h"
#include "kubelet_cm/pods/pod_table.h"

namespace kubelet_cm {

class NodeViewer {
 public:
  // All of it outlives the viewer.
  struct Dependencies {
    const PodTable& pods;
    deviceplugin::DeviceManager& devices;
    dra::DraStack* claims = nullptr;                        // null: there is no DRA
    const pluginwatcher::PluginWatcher* watcher = nullptr;  // null: no folder is watched
  };

  explicit NodeViewer(const Dependencies& dependencies) : deps_(dependencies) {}

  ::kubeletcm::v1::PodView Pod(const PodRecord& record) const;
  // By namespace and name.
  ::kubeletcm::v1::ListPodsResponse Pods() const;
  // Of one resource, or of all when the name is empty.
  ::kubeletcm::v1::NodeResourcesResponse Resources(const std::string& resource) const;
  ::kubeletcm::v1::ListClaimsResponse Claims() const;
  // Device plugins by resource, then drivers by name, then sockets that could not be registered.
  ::kubeletcm::v1::ListPluginsResponse Plugins() const;
  NodePicture Picture() const;

 private:
  const Dependencies deps_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_CONTROL_NODE_VIEWER_H_
