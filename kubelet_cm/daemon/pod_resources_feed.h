// PodResourcesFeed: what the podresources API tells of, taken from the pods and the managers.
#ifndef KUBELET_CM_KUBELET_CM_DAEMON_POD_RESOURCES_FEED_H_
#define KUBELET_CM_KUBELET_CM_DAEMON_POD_RESOURCES_FEED_H_

#include <vector>

#include "absl/status/statusor.h"
#include "deviceplugin/device_manager.h"
#include "dra/dra_manager.h"
#include "kubelet_cm/podresources/pod_resources_source.h"
#include "kubelet_cm/pods/pod_table.h"

namespace kubelet_cm {

// Thread-safe. Pods are listed by namespace and name; those of which only a state file knows have neither, and are left
// out.
class PodResourcesFeed : public podresources::PodResourcesSource {
 public:
  // All of it outlives the feed. `claims` may be null: there is no DRA.
  PodResourcesFeed(const PodTable& pods, deviceplugin::DeviceManager& devices, const dra::DraManager* claims)
      : pods_(pods), devices_(devices), claims_(claims) {}

  Pods ActivePods() const override;
  Pods AllPods() const override;
  void CollectLeftovers() override { devices_.CollectLeftovers(); }
  deviceplugin::HeldDevices DevicesOf(const Pod& pod, const Container& container) override;
  deviceplugin::HeldDevices AllocatableDevices() const override { return devices_.AllocatableDevices(); }
  absl::StatusOr<std::vector<dra::ContainerClaimInfo>> ClaimsOf(const Pod& pod,
                                                                const Container& container) const override;

 private:
  const PodTable& pods_;
  deviceplugin::DeviceManager& devices_;
  const dra::DraManager* const claims_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_DAEMON_POD_RESOURCES_FEED_H_
