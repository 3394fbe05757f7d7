#include "deviceplugin/container_start.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"
#include "deviceplugin/allocation/container_annotation.h"
#include "deviceplugin/topology/pod_requests.h"

namespace kubelet_cm::deviceplugin {
namespace {

// What is known of one of the container's resources when it starts.
struct StartingResource {
  HolderKey holder;
  std::optional<std::vector<std::string>> ids = {};
  bool is_known = false;  // it has a plugin, or had one until not long ago
  std::optional<PluginInstance> plugin = {};
  bool pre_start_required = false;
};

std::vector<StartingResource> ResourcesOf(const AllocationParts& parts, const Pod& pod, const Container& container) {
  DeviceState& state = parts.state;
  MutexLock lock(&state.mu);
  const auto is_device_resource = [&](std::string_view resource) {
    state.mu.AssertHeld();
    return state.IsDeviceResource(resource);
  };
  std::vector<StartingResource> resources;
  for (const auto& [name, count] : ContainerDeviceRequests(container, is_device_resource)) {
    if (count == 0 && parts.rules.starts_without_zeros) continue;
    if (pod.BackedByClaim(container.name, name)) continue;
    StartingResource resource{.holder = {.pod_uid = pod.uid, .container_name = container.name, .resource_name = name},
                              .is_known = state.inventory.Knows(name),
                              .plugin = state.inventory.Primary(name),
                              .pre_start_required = state.inventory.PreStartRequired(name)};
    resource.ids = state.ledger.IdsOf(resource.holder);
    resources.push_back(std::move(resource));
  }
  return resources;
}

absl::Status CallPreStart(const AllocationParts& parts, const StartingResource& starting) {
  const std::string& resource = starting.holder.resource_name;
  const std::shared_ptr<PluginEndpoint> plugin =
      starting.plugin.has_value() ? parts.plugins.Find(starting.plugin->id) : nullptr;
  absl::Status called = plugin != nullptr
                            ? plugin->PreStartContainer(*starting.ids)
                            : absl::UnavailableError(absl::StrCat("endpoint ", resource, " has been stopped"));
  if (called.ok() || (plugin != nullptr && !plugin->stopped())) return called;
  // It was replaced, perhaps by itself.
  const auto next = parts.plugins.PrimaryOtherThan(resource, plugin.get());
  if (!next.has_value()) return called;
  return next->instance.pre_start_required ? next->endpoint->PreStartContainer(*starting.ids) : absl::OkStatus();
}

absl::Status PreStart(const AllocationParts& parts, const StartingResource& starting) {
  const HolderKey& holder = starting.holder;
  if (!starting.is_known) {
    return absl::UnavailableError(
        absl::StrCat("endpoint not found in cache for a registered resource: ", holder.resource_name));
  }
  if (!starting.pre_start_required) {
    parts.log.V(5).Info(
        "Plugin options indicate to skip PreStartContainer for resource",
        {{"podUID", holder.pod_uid}, {"resourceName", holder.resource_name}, {"containerName", holder.container_name}});
    return absl::OkStatus();
  }
  if (!starting.ids.has_value()) {
    return absl::NotFoundError(absl::StrCat("no devices found allocated in local cache for pod ", holder.pod_uid,
                                            ", container ", holder.container_name, ", resource ",
                                            holder.resource_name));
  }
  parts.log.V(4).Info("Issuing a PreStartContainer call for container",
                      {{"containerName", holder.container_name}, {"podUID", holder.pod_uid}});
  const absl::Status called = CallPreStart(parts, starting);
  if (called.ok()) return called;
  return Reworded(called, absl::StrCat("device plugin PreStartContainer rpc failed with err: ", called.message()));
}

// A pod that was bound before the resource was known has no devices yet.
absl::Status AllocateLate(const AllocationParts& parts, const Pod& pod, const Container& container) {
  const std::string name = pod.LogName();
  if (parts.rules.late_only_if_active && !parts.active_pods.Uids()->contains(pod.uid)) {
    // It was removed meanwhile.
    parts.log.V(5).Info("Pod deleted from activePods, skip to reAllocate",
                        {{"pod", name}, {"podUID", pod.uid}, {"containerName", container.name}});
    return absl::OkStatus();
  }
  parts.log.V(2).Info("Needs to re-allocate device plugin resources for pod",
                      {{"pod", name}, {"containerName", container.name}});
  ASSIGN_OR_RETURN(const std::unique_ptr<PodAllocation> allocation, PodAllocation::New(parts, pod));
  RETURN_IF_ERROR(allocation->Allocate(container, std::nullopt));
  return allocation->Commit();
}

void AddCdiAnnotation(const AllocationParts& parts, const Pod& pod, const Container& container, RunOptions* options) {
  const auto annotation = ContainerAnnotation(pod.uid, container.name, options->cdi_devices);
  if (!annotation.ok()) {
    parts.log.Error(annotation.status(), "Failed to generate CDI annotations",
                    {{"podUID", pod.uid}, {"containerName", container.name}});
  } else if (annotation->has_value()) {
    options->annotations.emplace((*annotation)->key, (*annotation)->value);
  }
}

void LogConflicts(const AllocationParts& parts, const std::vector<SettingConflict>& conflicts) {
  for (const SettingConflict& conflict : conflicts) {
    std::vector<LogField> fields;
    for (const auto& [key, value] : conflict.details) fields.push_back({.key = key, .value = value});
    parts.log.Write({.severity = Severity::kError,
                     .verbosity = 0,
                     .message = LogMessage(conflict.message.data()),  // a literal, which ends with a NUL
                     .error = nullptr,
                     .fields = fields});
  }
}

}  // namespace

absl::StatusOr<std::optional<RunOptions>> PrepareContainerStart(const AllocationParts& parts, const Pod& pod,
                                                                const Container& container) {
  bool needs_allocation = false;
  for (const StartingResource& starting : ResourcesOf(parts, pod, container)) {
    RETURN_IF_ERROR(PreStart(parts, starting));
    needs_allocation |= !starting.ids.has_value();
  }
  if (needs_allocation) RETURN_IF_ERROR(AllocateLate(parts, pod, container));
  std::vector<DeviceEntry> entries;
  {
    MutexLock lock(&parts.state.mu);
    entries = parts.state.ledger.EntriesOf(pod.uid, container.name);
  }
  ASSIGN_OR_RETURN(std::optional<MergedRunOptions> merged, MergeRunOptions(entries));
  if (!merged.has_value()) return std::nullopt;
  LogConflicts(parts, merged->conflicts);
  if (!parts.cdi_devices) merged->options.cdi_devices.clear();
  if (parts.cdi_annotations) AddCdiAnnotation(parts, pod, container, &merged->options);
  return std::move(merged->options);
}

}  // namespace kubelet_cm::deviceplugin
