#include "deviceplugin/allocation/run_options.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "common/status/status_macros.h"
#include "deviceplugin/checkpoint/alloc_response.h"

namespace kubelet_cm::deviceplugin {
namespace {

class Merger {
 public:
  void Add(const v1beta1::ContainerAllocateResponse& response) {
    // The messages' maps have no order.
    for (const auto& [name, value] :
         absl::btree_map<std::string, std::string>(response.envs().begin(), response.envs().end())) {
      Env(name, value);
    }
    for (const v1beta1::DeviceSpec& device : response.devices()) Device(device);
    for (const v1beta1::Mount& mount : response.mounts()) Mount(mount);
    for (const auto& [key, value] :
         absl::btree_map<std::string, std::string>(response.annotations().begin(), response.annotations().end())) {
      Annotation(key, value);
    }
    for (const v1beta1::CDIDevice& device : response.cdi_devices()) {
      if (cdi_names_.insert(device.name()).second) merged_.options.cdi_devices.push_back(device.name());
    }
  }

  MergedRunOptions Take() && { return std::move(merged_); }

 private:
  void Env(const std::string& name, const std::string& value) {
    const auto [first, is_new] = merged_.options.envs.try_emplace(name, value);
    if (is_new || first->second == value) return;
    merged_.conflicts.push_back({.message = "Environment variable has conflicting setting",
                                 .details = {{"envKey", name}, {"expected", value}, {"got", first->second}}});
  }

  void Device(const v1beta1::DeviceSpec& device) {
    const auto [first, is_new] = device_host_paths_.try_emplace(device.container_path(), device.host_path());
    if (is_new) {
      merged_.options.devices.push_back({.host_path = device.host_path(),
                                         .container_path = device.container_path(),
                                         .permissions = device.permissions()});
    } else if (first->second != device.host_path()) {
      merged_.conflicts.push_back(
          {.message = "Container device has conflicting mapping host devices",
           .details = {
               {"containerPath", device.container_path()}, {"got", first->second}, {"expected", device.host_path()}}});
    }
  }

  void Mount(const v1beta1::Mount& mount) {
    const auto [first, is_new] = mount_host_paths_.try_emplace(mount.container_path(), mount.host_path());
    if (is_new) {
      merged_.options.mounts.push_back({.name = mount.container_path(),
                                        .container_path = mount.container_path(),
                                        .host_path = mount.host_path(),
                                        .read_only = mount.read_only()});
    } else if (first->second != mount.host_path()) {
      merged_.conflicts.push_back({.message = "Container mount has conflicting mapping host mounts",
                                   .details = {{"containerPath", mount.container_path()},
                                               {"conflictingPath", first->second},
                                               {"hostPath", mount.host_path()}}});
    }
  }

  // Kubelets name the two values the other way round than for variables.
  void Annotation(const std::string& key, const std::string& value) {
    const auto [first, is_new] = merged_.options.annotations.try_emplace(key, value);
    if (is_new || first->second == value) return;
    merged_.conflicts.push_back({.message = "Annotation has conflicting setting",
                                 .details = {{"annotationKey", key}, {"expected", first->second}, {"got", value}}});
  }

  MergedRunOptions merged_;
  absl::flat_hash_map<std::string, std::string> device_host_paths_;  // by container path
  absl::flat_hash_map<std::string, std::string> mount_host_paths_;
  absl::flat_hash_set<std::string> cdi_names_;
};

}  // namespace

absl::StatusOr<std::optional<MergedRunOptions>> MergeRunOptions(absl::Span<const DeviceEntry> entries) {
  if (entries.empty()) return std::nullopt;
  std::vector<const DeviceEntry*> sorted;
  for (const DeviceEntry& entry : entries) sorted.push_back(&entry);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const DeviceEntry* a, const DeviceEntry* b) { return a->resource_name < b->resource_name; });
  Merger merger;
  for (const DeviceEntry* entry : sorted) {
    ASSIGN_OR_RETURN(const auto response, ParseAllocResponse(entry->alloc_response.value_or("")));
    merger.Add(response);
  }
  return std::move(merger).Take();
}

}  // namespace kubelet_cm::deviceplugin
