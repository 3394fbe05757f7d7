#include "testing/scenarios/pod_statuses.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace kubelet_cm::scenarios {
namespace {

// Whether they are about the same devices.
bool AreAlike(const Sight::Health& one, const Sight::Health& other) {
  return std::ranges::equal(one, other, [](const auto& a, const auto& b) { return a.first == b.first; });
}

}  // namespace

Sight::Health PodStatuses::Compute(const Pod& pod) const {
  Sight::Health health;
  for (const Container& container : pod.containers) {
    std::vector<deviceplugin::AllocatedResourceStatus> statuses;
    devices_.UpdateStatus(pod, container, &statuses);
    for (const deviceplugin::AllocatedResourceStatus& status : statuses) {
      for (const deviceplugin::AllocatedDevice& device : status.devices) {
        health[{{pod.uid, container.name, status.name}, device.resource_id}] = device.health;
      }
    }
  }
  return health;
}

Sight::Health PodStatuses::Now() {
  const std::vector<std::string> told = updates_.Take();
  Sight::Health all;
  std::map<std::string, Sight::Health> now;
  for (const SharedPodRecord& record : pods_.All()) {
    const std::string& uid = record->pod->uid;
    Sight::Health health = Compute(*record->pod);
    const auto before = by_uid_.find(uid);
    const bool stays =
        before != by_uid_.end() && AreAlike(before->second, health) && std::ranges::find(told, uid) == told.end();
    if (stays) health = before->second;
    all.insert(health.begin(), health.end());
    now[uid] = std::move(health);
  }
  by_uid_ = std::move(now);
  return all;
}

}  // namespace kubelet_cm::scenarios
