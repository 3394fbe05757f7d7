// FakePodResourcesSource: pods and what they hold, as a test says.
#ifndef KUBELET_CM_KUBELET_CM_PODRESOURCES_FAKE_POD_RESOURCES_SOURCE_H_
#define KUBELET_CM_KUBELET_CM_PODRESOURCES_FAKE_POD_RESOURCES_SOURCE_H_

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kubelet_cm/podresources/pod_resources_source.h"

namespace kubelet_cm::podresources {

// Filled first, then asked by any thread.
class FakePodResourcesSource : public PodResourcesSource {
 public:
  using ContainerKey = std::pair<std::string, std::string>;  // the pod's uid and the container's name

  Pods active = {};
  Pods ended = {};  // listed after the active ones
  std::map<ContainerKey, deviceplugin::HeldDevices> devices = {};
  std::map<ContainerKey, absl::StatusOr<std::vector<dra::ContainerClaimInfo>>> claims = {};
  deviceplugin::HeldDevices allocatable = {};
  int collections = 0;

  Pods ActivePods() const override { return active; }
  Pods AllPods() const override {
    Pods all = active;
    all.insert(all.end(), ended.begin(), ended.end());
    return all;
  }
  void CollectLeftovers() override { ++collections; }
  deviceplugin::HeldDevices DevicesOf(const Pod& pod, const Container& container) override {
    const auto held = devices.find({pod.uid, container.name});
    return held == devices.end() ? deviceplugin::HeldDevices() : held->second;
  }
  deviceplugin::HeldDevices AllocatableDevices() const override { return allocatable; }
  absl::StatusOr<std::vector<dra::ContainerClaimInfo>> ClaimsOf(const Pod& pod,
                                                                const Container& container) const override {
    const auto known = claims.find({pod.uid, container.name});
    if (known == claims.end()) return std::vector<dra::ContainerClaimInfo>();
    return known->second;
  }

  // A pod of the namespace "ns" with the uid "<name>-uid".
  static std::shared_ptr<const Pod> PodNamed(const std::string& name, std::vector<Container> containers) {
    return std::make_shared<const Pod>(
        Pod{.uid = name + "-uid", .namespace_name = "ns", .name = name, .containers = std::move(containers)});
  }
};

}  // namespace kubelet_cm::podresources

#endif  // KUBELET_CM_KUBELET_CM_PODRESOURCES_FAKE_POD_RESOURCES_SOURCE_H_
