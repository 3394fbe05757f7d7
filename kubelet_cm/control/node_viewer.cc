#include "kubelet_cm/control/node_viewer.h"

#include <vector>

#include "kubelet_cm/control/claim_view.h"
#include "kubelet_cm/control/plugin_view.h"
#include "kubelet_cm/control/pod_view.h"
#include "kubelet_cm/control/resource_view.h"

namespace kubelet_cm {

namespace v1 = ::kubeletcm::v1;

v1::PodView NodeViewer::Pod(const PodRecord& record) const {
  ReadClaimStatuses statuses;
  if (deps_.claims != nullptr) {
    statuses = [this](const ::kubelet_cm::Pod& pod, const Container& container) {
      return deps_.claims->ClaimStatuses(pod, container);
    };
  }
  return ViewPod(record, deps_.devices, statuses);
}

v1::ListPodsResponse NodeViewer::Pods() const {
  v1::ListPodsResponse response;
  for (const SharedPodRecord& record : deps_.pods.All()) *response.add_pods() = Pod(*record);
  return response;
}

v1::NodeResourcesResponse NodeViewer::Resources(const std::string& resource) const {
  return ViewResources(deps_.devices, deps_.pods, resource);
}

v1::ListClaimsResponse NodeViewer::Claims() const {
  return deps_.claims == nullptr ? v1::ListClaimsResponse() : ViewClaims(deps_.claims->manager(), deps_.pods);
}

v1::ListPluginsResponse NodeViewer::Plugins() const {
  return ViewPlugins(deps_.devices, deps_.claims == nullptr ? nullptr : &deps_.claims->drivers(),
                     deps_.watcher == nullptr ? std::vector<pluginwatcher::PluginRow>() : deps_.watcher->List());
}

NodePicture NodeViewer::Picture() const {
  return {.pods = Pods(), .resources = Resources(""), .claims = Claims(), .plugins = Plugins()};
}

}  // namespace kubelet_cm
