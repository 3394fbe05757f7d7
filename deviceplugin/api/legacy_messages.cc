#include "deviceplugin/api/legacy_messages.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/check.h"

namespace kubelet_cm::deviceplugin {
namespace {

// Map fields have no order: keys are taken in theirs, so that findings have one.
template <typename Map>
std::map<std::string, std::string> Sorted(const Map& map) {
  return {map.begin(), map.end()};
}

v1beta1::Mount FromLegacy(const ::deviceplugin::Mount& mount) {
  v1beta1::Mount result;
  result.set_container_path(mount.container_path());
  result.set_host_path(mount.host_path());
  result.set_read_only(mount.read_only());
  return result;
}

v1beta1::DeviceSpec FromLegacy(const ::deviceplugin::DeviceSpec& device) {
  v1beta1::DeviceSpec result;
  result.set_container_path(device.container_path());
  result.set_host_path(device.host_path());
  result.set_permissions(device.permissions());
  return result;
}

bool Same(const v1beta1::Mount& a, const v1beta1::Mount& b) {
  return a.host_path() == b.host_path() && a.read_only() == b.read_only();
}
bool Same(const v1beta1::DeviceSpec& a, const v1beta1::DeviceSpec& b) {
  return a.host_path() == b.host_path() && a.permissions() == b.permissions();
}

// Adds an entry of a list whose key is the container's path, unless there is one.
template <typename Entry, typename List>
void AddByPath(Entry entry, const char* conflict, List& list, LegacyAnswer& answer) {
  const auto there = std::find_if(list.begin(), list.end(),
                                  [&](const Entry& e) { return e.container_path() == entry.container_path(); });
  if (there == list.end()) {
    *list.Add() = std::move(entry);
  } else if (!Same(*there, entry)) {
    answer.conflicts.push_back({conflict, entry.container_path()});
  }
}

void AddDevice(const ::deviceplugin::DeviceRuntimeSpec& spec, LegacyAnswer& answer) {
  v1beta1::ContainerAllocateResponse& container = *answer.response.mutable_container_responses(0);
  for (const auto& [name, value] : Sorted(spec.envs())) {
    const auto [there, is_new] = container.mutable_envs()->insert({name, value});
    if (!is_new && there->second != value) {
      answer.conflicts.push_back({"Environment variable has conflicting setting", name});
    }
  }
  for (const ::deviceplugin::Mount& mount : spec.mounts()) {
    AddByPath(FromLegacy(mount), "Container mount has conflicting mapping host mounts", *container.mutable_mounts(),
              answer);
  }
  for (const ::deviceplugin::DeviceSpec& device : spec.devices()) {
    AddByPath(FromLegacy(device), "Container device has conflicting mapping host devices", *container.mutable_devices(),
              answer);
  }
}

void CopyContainer(const ::deviceplugin::V1Alpha2AllocateResponse& flat, v1beta1::ContainerAllocateResponse& result) {
  result.mutable_envs()->insert(flat.envs().begin(), flat.envs().end());
  for (const ::deviceplugin::Mount& mount : flat.mounts()) *result.add_mounts() = FromLegacy(mount);
  for (const ::deviceplugin::DeviceSpec& device : flat.devices()) *result.add_devices() = FromLegacy(device);
  result.mutable_annotations()->insert(flat.annotations().begin(), flat.annotations().end());
}

absl::Status NotOfThisApi(const char* version) {
  return absl::InternalError(
      absl::StrCat("the device plugin's answer to Allocate is not one of API version ", version));
}

}  // namespace

v1beta1::ListAndWatchResponse FromLegacyList(const ::deviceplugin::ListAndWatchResponse& list) {
  v1beta1::ListAndWatchResponse result;
  for (const ::deviceplugin::Device& device : list.devices()) {
    v1beta1::Device& added = *result.add_devices();
    added.set_id(device.id());
    added.set_health(device.health());
  }
  return result;
}

absl::StatusOr<LegacyAnswer> FromLegacyAnswer(PluginApi api, const ::deviceplugin::AllocateResponse& answer) {
  CHECK(api != PluginApi::kV1Beta1) << "v1beta1 is no legacy API";
  const std::string bytes = answer.SerializeAsString();
  LegacyAnswer result;
  result.response.add_container_responses();
  if (api == PluginApi::kV1Alpha2) {
    ::deviceplugin::V1Alpha2AllocateResponse flat;
    if (!flat.ParseFromString(bytes)) return NotOfThisApi("v1alpha2");
    CopyContainer(flat, *result.response.mutable_container_responses(0));
    return result;
  }
  ::deviceplugin::V01AllocateResponse by_device;
  if (!by_device.ParseFromString(bytes)) return NotOfThisApi("0.1");
  for (const ::deviceplugin::DeviceRuntimeSpec& spec : by_device.spec()) AddDevice(spec, result);
  return result;
}

}  // namespace kubelet_cm::deviceplugin
