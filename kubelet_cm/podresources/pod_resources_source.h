// PodResourcesSource: what the podresources API tells of, as whoever owns the managers gives it.
#ifndef KUBELET_CM_KUBELET_CM_PODRESOURCES_POD_RESOURCES_SOURCE_H_
#define KUBELET_CM_KUBELET_CM_PODRESOURCES_POD_RESOURCES_SOURCE_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "common/node/pod.h"
#include "deviceplugin/allocation/held_devices.h"
#include "dra/claim/claim_resources.h"

namespace kubelet_cm::podresources {

// Thread-safe. Nothing here waits for a call or a write.
class PodResourcesSource {
 public:
  using Pods = std::vector<std::shared_ptr<const Pod>>;

  virtual ~PodResourcesSource() = default;

  // In the order in which they are listed; never null.
  virtual Pods ActivePods() const = 0;
  // Those that have ended, too.
  virtual Pods AllPods() const = 0;

  // Frees what departed pods held.
  virtual void CollectLeftovers() = 0;
  virtual deviceplugin::HeldDevices DevicesOf(const Pod& pod, const Container& container) = 0;
  // The healthy devices of each resource, be they held or not.
  virtual deviceplugin::HeldDevices AllocatableDevices() const = 0;
  // An error when the claims are not prepared.
  virtual absl::StatusOr<std::vector<dra::ContainerClaimInfo>> ClaimsOf(const Pod& pod,
                                                                        const Container& container) const = 0;
};

}  // namespace kubelet_cm::podresources

#endif  // KUBELET_CM_KUBELET_CM_PODRESOURCES_POD_RESOURCES_SOURCE_H_
