// PodStatuses: what the statuses of pods say of their devices' health, as a kubelet's loop keeps them: computed for a
// pod that is new or holds other devices, and when somebody says that they have changed (PodUpdates). What nobody tells
// it does not see.
//
// For one thread.
#ifndef KUBELET_CM_TESTING_SCENARIOS_POD_STATUSES_H_
#define KUBELET_CM_TESTING_SCENARIOS_POD_STATUSES_H_

#include <map>
#include <string>

#include "common/node/pod.h"
#include "common/podupdates/pod_updates.h"
#include "deviceplugin/device_manager.h"
#include "kubelet_cm/pods/pod_table.h"
#include "testing/scenarios/bench_node.h"

namespace kubelet_cm::scenarios {

class PodStatuses {
 public:
  // All outlive the object.
  PodStatuses(PodUpdates& updates, const PodTable& pods, const deviceplugin::DeviceManager& devices)
      : updates_(updates), pods_(pods), devices_(devices) {}

  // With what was told until now.
  Sight::Health Now();

 private:
  Sight::Health Compute(const Pod& pod) const;

  PodUpdates& updates_;
  const PodTable& pods_;
  const deviceplugin::DeviceManager& devices_;
  std::map<std::string, Sight::Health> by_uid_;
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_POD_STATUSES_H_
