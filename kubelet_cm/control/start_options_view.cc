#include "kubelet_cm/control/start_options_view.h"

#include <string>

namespace kubelet_cm {
namespace {

using ::kubeletcm::v1::ContainerOptionsResponse;

void AddAnnotation(const std::string& name, const std::string& value, ContainerOptionsResponse* response) {
  ContainerOptionsResponse::Annotation& annotation = *response->add_annotations();
  annotation.set_name(name);
  annotation.set_value(value);
}

}  // namespace

ContainerOptionsResponse ViewStartOptions(const StartOptions& options) {
  ContainerOptionsResponse response;
  for (const std::string& id : options.claims.cdi_device_ids) response.add_cdi_devices(id);
  for (const std::string& id : options.devices.cdi_devices) response.add_cdi_devices(id);
  for (const auto& annotation : options.claims.annotations) {
    AddAnnotation(annotation.key, annotation.value, &response);
  }
  for (const auto& [name, value] : options.devices.annotations) AddAnnotation(name, value, &response);
  for (const auto& [name, value] : options.devices.envs) (*response.mutable_envs())[name] = value;
  for (const deviceplugin::DeviceMount& mount : options.devices.mounts) {
    ContainerOptionsResponse::Mount& to = *response.add_mounts();
    to.set_container_path(mount.container_path);
    to.set_host_path(mount.host_path);
    to.set_read_only(mount.read_only);
  }
  for (const deviceplugin::DeviceNode& device : options.devices.devices) {
    ContainerOptionsResponse::Device& to = *response.add_devices();
    to.set_container_path(device.container_path);
    to.set_host_path(device.host_path);
    to.set_permissions(device.permissions);
  }
  return response;
}

}  // namespace kubelet_cm
