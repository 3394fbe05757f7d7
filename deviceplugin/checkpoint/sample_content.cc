#include "deviceplugin/checkpoint/sample_content.h"

#include "absl/strings/str_format.h"
#include "deviceplugin/api/v1beta1.pb.h"

namespace kubelet_cm::deviceplugin {
namespace {

constexpr char kResource[] = "example.com/gpu";
constexpr size_t kDevices = 8;

std::string DeviceId(size_t number) { return absl::StrFormat("gpu-%06d", number); }

std::string SampleResponse(size_t pod) {
  v1beta1::ContainerAllocateResponse response;
  (*response.mutable_envs())["VISIBLE_DEVICES"] = DeviceId(pod * kDevices) + "," + DeviceId(pod * kDevices + 1);
  v1beta1::Mount* mount = response.add_mounts();
  mount->set_container_path("/usr/local/example/lib64");
  mount->set_host_path("/opt/example/lib64");
  for (size_t i = 0; i < 2; ++i) {
    v1beta1::DeviceSpec* device = response.add_devices();
    device->set_container_path(absl::StrFormat("/dev/gpu%d", i));
    device->set_host_path(absl::StrFormat("/dev/gpu%d", pod * kDevices + i));
    device->set_permissions("rw");
  }
  // One entry a map: the order of several would be up to chance.
  (*response.mutable_annotations())["driver-capabilities"] = "compute,utility";
  response.add_cdi_devices()->set_name(absl::StrFormat("example.com/gpu=%s", DeviceId(pod * kDevices)));
  return response.SerializeAsString();
}

}  // namespace

DeviceEntry SampleEntry(size_t pod) {
  DevicesPerNuma devices;
  for (size_t i = 0; i < kDevices; ++i) {
    std::optional<DeviceIds>& ids = devices[static_cast<int64_t>(i % 2)];
    if (!ids.has_value()) ids.emplace();
    ids->push_back(DeviceId(pod * kDevices + i));
  }
  return {.pod_uid = absl::StrFormat("%08x-52c5-4c2b-9a51-0d6e0b7a1c01", pod),
          .container_name = "main-container",
          .resource_name = kResource,
          .devices = std::move(devices),
          .alloc_response = SampleResponse(pod)};
}

DeviceContent SampleContent(size_t entries) {
  DeviceContent content;
  content.entries.emplace();
  for (size_t pod = 0; pod < entries; ++pod) content.entries->push_back(SampleEntry(pod));
  DeviceIds& ids = (*content.registered.emplace().try_emplace(kResource).first).second.emplace();
  for (size_t i = 0; i < kDevices; ++i) ids.push_back(DeviceId(i));
  return content;
}

}  // namespace kubelet_cm::deviceplugin
