#include "kubelet_cm/control/pod_view.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "absl/container/btree_map.h"
#include "absl/time/time.h"
#include "deviceplugin/registration/resource_name.h"

namespace kubelet_cm {
namespace {

using ::kubeletcm::v1::ContainerView;
using ::kubeletcm::v1::PodState;
using ::kubeletcm::v1::PodView;

PodState StateOf(PodPhase phase) {
  switch (phase) {
    case PodPhase::kAdmitting:
      return ::kubeletcm::v1::POD_STATE_ADMITTING;
    case PodPhase::kAdmitted:
      return ::kubeletcm::v1::POD_STATE_ADMITTED;
    case PodPhase::kPrepared:
      return ::kubeletcm::v1::POD_STATE_PREPARED;
    case PodPhase::kTerminating:
      return ::kubeletcm::v1::POD_STATE_TERMINATING;
    case PodPhase::kRestored:
      return ::kubeletcm::v1::POD_STATE_RESTORED;
    case PodPhase::kRefused:
      return ::kubeletcm::v1::POD_STATE_REFUSED;
  }
  return ::kubeletcm::v1::POD_STATE_UNSPECIFIED;
}

std::string_view KindName(ContainerKind kind) {
  switch (kind) {
    case ContainerKind::kInit:
      return "init";
    case ContainerKind::kSidecar:
      return "sidecar";
    case ContainerKind::kApp:
      return "app";
  }
  return "";
}

void ShowStatuses(const Pod& pod, const Container& container, const deviceplugin::DeviceManager& devices,
                  const ReadClaimStatuses& claim_statuses, ContainerView* view) {
  std::vector<deviceplugin::AllocatedResourceStatus> of_devices;
  devices.UpdateStatus(pod, container, &of_devices);
  for (const deviceplugin::AllocatedResourceStatus& status : of_devices) {
    ::kubeletcm::v1::ResourceStatus& to = *view->add_allocated_resources_status();
    to.set_name(status.name);
    for (const deviceplugin::AllocatedDevice& device : status.devices) {
      ::kubeletcm::v1::ResourceHealth& health = *to.add_resources();
      health.set_resource_id(device.resource_id);
      health.set_health(device.health);
    }
  }
  if (claim_statuses == nullptr) return;
  for (const dra::ClaimStatus& status : claim_statuses(pod, container)) {
    ::kubeletcm::v1::ResourceStatus& to = *view->add_allocated_resources_status();
    to.set_name(status.name);
    for (const dra::DeviceStatus& device : status.resources) {
      ::kubeletcm::v1::ResourceHealth& health = *to.add_resources();
      health.set_resource_id(device.resource_id);
      health.set_health(device.health);
      health.set_message(device.message);
    }
  }
}

void ShowDevices(const std::string& pod_uid, const std::string& container, deviceplugin::DeviceManager& devices,
                 ContainerView* view) {
  for (const auto& [resource, by_id] : devices.ContainerDevices(pod_uid, container)) {
    for (const auto& [id, nodes] : by_id) {
      ::kubeletcm::v1::HeldDevice& device = *view->add_devices();
      device.set_resource(resource);
      device.set_device_id(id);
      for (const int64_t node : nodes) device.add_numa_nodes(node);
    }
  }
}

bool IsBackedByClaim(const Pod& pod, const std::string& container, const std::string& resource) {
  if (!pod.extended_resource_claim.has_value()) return false;
  const auto& mappings = pod.extended_resource_claim->mappings;
  return std::any_of(mappings.begin(), mappings.end(), [&](const ExtendedResourceClaim::Mapping& mapping) {
    return mapping.container_name == container && mapping.resource_name == resource;
  });
}

// By what `view` shows of its devices.
void ShowWhatItLacks(const PodRecord& record, const Container& container, ContainerView* view) {
  if (record.phase != PodPhase::kAdmitted && record.phase != PodPhase::kPrepared) return;
  for (const auto& [resource, count] : container.limits) {
    if (count == 0 || !deviceplugin::IsExtendedResourceName(resource)) continue;
    const bool has_one = std::any_of(view->devices().begin(), view->devices().end(),
                                     [&wanted = resource](const auto& device) { return device.resource() == wanted; });
    if (!has_one && !IsBackedByClaim(*record.pod, container.name, resource)) view->add_without(resource);
  }
}

}  // namespace

PodView ViewPod(const PodRecord& record, deviceplugin::DeviceManager& devices,
                const ReadClaimStatuses& claim_statuses) {
  const Pod& pod = *record.pod;
  PodView view;
  view.mutable_pod()->set_uid(pod.uid);
  view.mutable_pod()->set_namespace_(pod.namespace_name);
  view.mutable_pod()->set_name(pod.name);
  view.set_state(StateOf(record.phase));
  const std::string_view source = PodSourceName(record.source);
  view.set_source(source.data(), source.size());
  view.set_reason(record.reason);
  view.set_message(record.message);
  view.set_since_unix_nanos(absl::ToUnixNanos(record.since));
  for (const Container& container : pod.containers) {
    ContainerView& to = *view.add_containers();
    to.set_name(container.name);
    const std::string_view kind = KindName(container.kind);
    to.set_kind(kind.data(), kind.size());
    to.set_running(record.running.contains(container.name));
    for (const ContainerClaim& claim : container.claims) to.add_claims(claim.name);
    ShowDevices(pod.uid, container.name, devices, &to);
    ShowWhatItLacks(record, container, &to);
    ShowStatuses(pod, container, devices, claim_statuses, &to);
  }
  for (const PodClaim& claim : pod.claims) {
    if (claim.object_name.has_value()) view.add_claims(*claim.object_name);
  }
  if (pod.extended_resource_claim.has_value()) view.add_claims(pod.extended_resource_claim->object_name);
  return view;
}

}  // namespace kubelet_cm
