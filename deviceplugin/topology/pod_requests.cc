#include "deviceplugin/topology/pod_requests.h"

#include <algorithm>
#include <limits>

namespace kubelet_cm::deviceplugin {
namespace {

int64_t Sum(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max();
}

void AddTo(ResourceAmounts* amounts, const ResourceAmounts& more) {
  for (const auto& [resource, amount] : more) {
    int64_t& sum = (*amounts)[resource];
    sum = Sum(sum, amount);
  }
}

void RaiseTo(ResourceAmounts* amounts, const ResourceAmounts& floor) {
  for (const auto& [resource, amount] : floor) {
    const auto [entry, is_new] = amounts->try_emplace(resource, amount);
    if (!is_new) entry->second = std::max(entry->second, amount);
  }
}

// What a pod can limit as a whole.
bool IsPodLevelResource(std::string_view resource) {
  return resource == "cpu" || resource == "memory" || resource.starts_with("hugepages-");
}

ResourceAmounts LimitsOf(const Pod& pod, const Container& container) {
  ResourceAmounts limits;
  for (const auto& [resource, amount] : container.limits) {
    if (!pod.BackedByClaim(container.name, resource)) limits.emplace(resource, amount);
  }
  return limits;
}

ResourceAmounts OnlyDevices(const ResourceAmounts& limits, IsDeviceResource is_device_resource) {
  ResourceAmounts requests;
  for (const auto& [resource, amount] : limits) {
    if (is_device_resource(resource)) requests.emplace(resource, amount);
  }
  return requests;
}

}  // namespace

ResourceAmounts PodLimits(const Pod& pod) {
  ResourceAmounts running;   // the app containers and all sidecars
  ResourceAmounts sidecars;  // those before the container that is looked at
  ResourceAmounts starting;  // the most while init containers run
  for (const Container& container : pod.containers) {
    const ResourceAmounts limits = LimitsOf(pod, container);
    if (container.kind == ContainerKind::kInit) {
      ResourceAmounts beside = sidecars;
      AddTo(&beside, limits);
      RaiseTo(&starting, beside);
      continue;
    }
    AddTo(&running, limits);
    if (container.kind == ContainerKind::kSidecar) AddTo(&sidecars, limits);
  }
  RaiseTo(&running, starting);
  for (const auto& [resource, amount] : pod.pod_limits) {
    if (IsPodLevelResource(resource)) running[resource] = amount;
  }
  return running;
}

ResourceAmounts ContainerDeviceRequests(const Container& container, IsDeviceResource is_device_resource) {
  return OnlyDevices(container.limits, is_device_resource);
}

ResourceAmounts PodDeviceRequests(const Pod& pod, IsDeviceResource is_device_resource) {
  return OnlyDevices(PodLimits(pod), is_device_resource);
}

}  // namespace kubelet_cm::deviceplugin
