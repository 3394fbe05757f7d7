#include "deviceplugin/device_hint_provider.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "deviceplugin/started_before.h"

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

bool DeviceHintProvider::Runs(const Pod& pod, const Container& container) const {
  return rules_.check.trusts_running_entry &&
         StartedBefore(node_start_, pod, container.name, rules_.follows_init_containers);
}

bool DeviceHintProvider::Runs(const Pod& pod, const std::string& resource) const {
  return std::all_of(pod.containers.begin(), pod.containers.end(), [&](const Container& container) {
    const auto limit = container.limits.find(resource);
    return limit == container.limits.end() || limit->second == 0 || Runs(pod, container);
  });
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
      snapshot.container = container.name;
      snapshot.runs = Runs(pod, container);
      snapshot.reusable = state_.Reusable(pod, resource, container.name, rules_.sidecars);
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
      snapshot.runs = Runs(pod, resource);
      snapshots.push_back(std::move(snapshot));
    }
  }
  return Decide(pod, snapshots);
}

void DeviceHintProvider::LogDecision(const Pod& pod, const Snapshot& snapshot, HintReason reason) const {
  const std::string name = pod.LogName();
  std::vector<LogField> fields = {{"resourceName", snapshot.resource}, {"pod", name}};
  if (!snapshot.container.empty()) fields.push_back({"containerName", snapshot.container});
  const LogField request{"request", snapshot.requested};
  const LogField allocated{"allocated", snapshot.held.size()};
  const auto log = [&](LogMessage message) {
    log_.Write({.severity = Severity::kInfo, .verbosity = 0, .message = message, .error = nullptr, .fields = fields});
  };
  switch (reason) {
    case HintReason::kNoTopology:
      fields.push_back(request);
      return log("Resource does not have a topology preference");
    case HintReason::kRequestChanged:
      fields.insert(fields.end(), {request, allocated});
      return log("Resource already allocated to pod with different number than request");
    case HintReason::kAlreadyHeld:
      if (snapshot.container.empty()) fields.push_back(allocated);
      return log("Regenerating TopologyHints for resource already allocated to pod");
    case HintReason::kUnavailable:
      fields.insert(fields.end(), {request, {"available", UnionSize(snapshot.available, snapshot.reusable)}});
      return log("Unable to generate topology hints: requested number of devices unavailable");
    case HintReason::kGenerated:
      return;
  }
}

// cadvisor is where kubelets know the machine's nodes from.
void DeviceHintProvider::LogUnknownNodes(const std::string& resource, absl::Span<const HintDevice> devices) const {
  const std::vector<int> unknown = NodesNotOnMachine(devices, machine_nodes_);
  if (unknown.empty()) return;
  log_.Info("Ignoring NUMA node IDs reported by device plugin that are unknown to cadvisor",
            {{"resource", resource}, {"unknownNodes", unknown}, {"knownNodes", machine_nodes_}});
}

ProviderHints DeviceHintProvider::Decide(const Pod& pod, const std::vector<Snapshot>& snapshots) const {
  ProviderHints hints;
  for (const Snapshot& snapshot : snapshots) {
    const std::vector<HintDevice> devices = HintDevices(*snapshot.devices);
    HintDecision decision = DecideDeviceHints({.devices = devices,
                                               .machine_nodes = machine_nodes_,
                                               .requested = snapshot.requested,
                                               .every_machine_node = rules_.every_node_has_hints,
                                               .available = snapshot.available,
                                               .reusable = snapshot.reusable},
                                              snapshot.held);
    LogDecision(pod, snapshot, decision.reason);
    if (decision.reason == HintReason::kAlreadyHeld || decision.reason == HintReason::kGenerated) {
      LogUnknownNodes(snapshot.resource, devices);
    }
    // Nothing will be chosen, and where the plugin sees its devices now is no reason to end what runs.
    if (decision.reason == HintReason::kAlreadyHeld && snapshot.runs) decision.hints = std::nullopt;
    hints.emplace(snapshot.resource, std::move(decision.hints));
  }
  return hints;
}

}  // namespace kubelet_cm::deviceplugin
