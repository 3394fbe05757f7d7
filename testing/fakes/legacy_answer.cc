#include "testing/fakes/legacy_answer.h"

#include "common/status/check.h"

namespace kubelet_cm::fakes {
namespace {

// What both older APIs say of a container, in either's message.
template <typename Settings>
void Copy(const ::v1beta1::ContainerAllocateResponse& container, Settings& settings) {
  settings.mutable_envs()->insert(container.envs().begin(), container.envs().end());
  for (const ::v1beta1::Mount& mount : container.mounts()) {
    ::deviceplugin::Mount& copy = *settings.add_mounts();
    copy.set_container_path(mount.container_path());
    copy.set_host_path(mount.host_path());
    copy.set_read_only(mount.read_only());
  }
  for (const ::v1beta1::DeviceSpec& device : container.devices()) {
    ::deviceplugin::DeviceSpec& copy = *settings.add_devices();
    copy.set_container_path(device.container_path());
    copy.set_host_path(device.host_path());
    copy.set_permissions(device.permissions());
  }
}

std::string V1Alpha2Bytes(const ::v1beta1::ContainerAllocateResponse& container) {
  ::deviceplugin::V1Alpha2AllocateResponse flat;
  Copy(container, flat);
  flat.mutable_annotations()->insert(container.annotations().begin(), container.annotations().end());
  return flat.SerializeAsString();
}

std::string V01Bytes(const std::vector<std::string>& ids, const ::v1beta1::ContainerAllocateResponse& container) {
  ::deviceplugin::V01AllocateResponse by_device;
  for (const std::string& id : ids) {
    ::deviceplugin::DeviceRuntimeSpec& spec = *by_device.add_spec();
    spec.set_id(id);
    if (by_device.spec_size() == 1) Copy(container, spec);
  }
  return by_device.SerializeAsString();
}

}  // namespace

::deviceplugin::ListAndWatchResponse ToLegacyList(const ::v1beta1::ListAndWatchResponse& list) {
  ::deviceplugin::ListAndWatchResponse result;
  for (const ::v1beta1::Device& device : list.devices()) {
    ::deviceplugin::Device& copy = *result.add_devices();
    copy.set_id(device.id());
    copy.set_health(device.health());
  }
  return result;
}

::deviceplugin::AllocateResponse ToLegacyAnswer(deviceplugin::PluginApi api, const std::vector<std::string>& ids,
                                                const ::v1beta1::AllocateResponse& answer) {
  ::deviceplugin::AllocateResponse result;
  if (answer.container_responses().empty()) return result;
  const ::v1beta1::ContainerAllocateResponse& container = answer.container_responses(0);
  CHECK(result.ParseFromString(api == deviceplugin::PluginApi::k01 ? V01Bytes(ids, container)
                                                                   : V1Alpha2Bytes(container)));
  return result;
}

}  // namespace kubelet_cm::fakes
