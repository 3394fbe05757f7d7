#include "kubelet_cm/daemon/pod_resources_feed.h"

#include "kubelet_cm/pods/pod_record.h"

namespace kubelet_cm {

PodResourcesFeed::Pods PodResourcesFeed::ActivePods() const {
  Pods pods;
  for (const SharedPodRecord& record : pods_.All()) {
    if (IsActive(*record) && !record->pod->name.empty()) pods.push_back(record->pod);
  }
  return pods;
}

PodResourcesFeed::Pods PodResourcesFeed::AllPods() const {
  Pods pods;
  for (const SharedPodRecord& record : pods_.All()) {
    if (!record->pod->name.empty()) pods.push_back(record->pod);
  }
  return pods;
}

deviceplugin::HeldDevices PodResourcesFeed::DevicesOf(const Pod& pod, const Container& container) {
  return devices_.ContainerDevices(pod.uid, container.name);
}

absl::StatusOr<std::vector<dra::ContainerClaimInfo>> PodResourcesFeed::ClaimsOf(const Pod& pod,
                                                                                const Container& container) const {
  if (claims_ == nullptr) return std::vector<dra::ContainerClaimInfo>();
  return claims_->ContainerClaimInfos(pod, container);
}

}  // namespace kubelet_cm
