#include "deviceplugin/device_hint_provider.h"

#include <utility>

#include "deviceplugin/allocation/reusable_devices.h"
#include "deviceplugin/topology/hint_decision.h"

namespace kubelet_cm::deviceplugin {
namespace {

std::vector<HintDevice> HintDevices(const DeviceList& list) {
  std::vector<HintDevice> devices;
  devices.reserve(list.size());
  for (const ListedDevice& device : list.devices())
    devices.push_back({.id = device.id, .numa_nodes = device.numa_nodes});
  return devices;
}

}  // namespace

DeviceHintProvider::Snapshot DeviceHintProvider::TakeSnapshot(const std::string& resource, int64_t requested) const {
  Snapshot snapshot{.resource = resource, .requested = requested, .devices = state_.inventory.SharedDevices(resource)};
  if (snapshot.devices == nullptr) {
    snapshot.devices = DeviceList::Empty();
  } else if (state_.inventory.HealthyCount(resource) > 0) {
    for (const CandidateDevice& device : state_.ledger.Available(resource, snapshot.devices)) {
      snapshot.available.emplace_back(device.id);
    }
  }
  return snapshot;
}

ProviderHints DeviceHintProvider::ContainerHints(const Pod& pod, const Container& container) {
  leftovers_.Collect();
  std::vector<Snapshot> snapshots;
  {
    MutexLock lock(&state_.mu);
    const auto is_device_resource = [&](std::string_view resource) {
      state_.mu.AssertHeld();
      return state_.IsDeviceResource(resource);
    };
    for (const auto& [resource, count] : ContainerDeviceRequests(container, is_device_resource)) {
      if (pod.BackedByClaim(container.name, resource)) continue;
      Snapshot snapshot = TakeSnapshot(resource, count);
      snapshot.reusable = ReusableDevices(pod, state_.ledger, resource, container.name);
      snapshot.held =
          state_.ledger.IdsOf({.pod_uid = pod.uid, .container_name = container.name, .resource_name = resource})
              .value_or(std::vector<std::string>());
      snapshots.push_back(std::move(snapshot));
    }
  }
  return Decide(pod, snapshots);
}

ProviderHints DeviceHintProvider::PodHints(const Pod& pod) {
  leftovers_.Collect();
  std::vector<Snapshot> snapshots;
  {
    MutexLock lock(&state_.mu);
    const auto is_device_resource = [&](std::string_view resource) {
      state_.mu.AssertHeld();
      return state_.IsDeviceResource(resource);
    };
    for (const auto& [resource, count] : PodDeviceRequests(pod, is_device_resource)) {
      Snapshot snapshot = TakeSnapshot(resource, count);
      snapshot.held = state_.ledger.IdsOfPod(pod.uid, resource).value_or(std::vector<std::string>());
      snapshots.push_back(std::move(snapshot));
    }
  }
  return Decide(pod, snapshots);
}

ProviderHints DeviceHintProvider::Decide(const Pod& pod, const std::vector<Snapshot>& snapshots) const {
  ProviderHints hints;
  for (const Snapshot& snapshot : snapshots) {
    const std::vector<HintDevice> devices = HintDevices(*snapshot.devices);
    HintDecision decision = DecideDeviceHints({.devices = devices,
                                               .machine_nodes = machine_nodes_,
                                               .requested = snapshot.requested,
                                               .available = snapshot.available,
                                               .reusable = snapshot.reusable},
                                              snapshot.held);
    switch (decision.reason) {
      case HintReason::kNoTopology:
        log_.Info("Resource does not have a topology preference",
                  {{"podUID", pod.uid}, {"resource", snapshot.resource}});
        break;
      case HintReason::kAlreadyHeld:
        log_.Info("Regenerating TopologyHints for resource already allocated to pod",
                  {{"podUID", pod.uid}, {"resource", snapshot.resource}});
        break;
      case HintReason::kUnavailable:
        log_.Info("Unable to generate topology hints: requested number of devices unavailable",
                  {{"podUID", pod.uid}, {"resource", snapshot.resource}, {"requested", snapshot.requested}});
        break;
      case HintReason::kRequestChanged:
      case HintReason::kGenerated:
        break;
    }
    hints.emplace(snapshot.resource, std::move(decision.hints));
  }
  return hints;
}

}  // namespace kubelet_cm::deviceplugin
