#include "tools/bench/device_bench_node.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "checkpointmanager/checkpoint_manager.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/sample_content.h"
#include "deviceplugin/device_restore.h"
#include "tools/bench/must.h"

namespace kubelet_cm {

using deviceplugin::DeviceContent;
using deviceplugin::DeviceInventory;
using deviceplugin::DeviceManager;
using deviceplugin::DeviceStack;
using fakes::FakeDevicePlugin;

DeviceBenchNode::DeviceBenchNode(size_t pods) : last_pod_(pods) {
  if (pods == 0) return;
  const DeviceContent content = deviceplugin::SampleContent(pods);
  for (const deviceplugin::DeviceEntry& entry : *content.entries) machine_.pods.Add(entry.pod_uid);
  const auto manager = Must(CheckpointManager::New(machine_.files, machine_.random, machine_.folder.path()));
  Must(manager->Write(deviceplugin::kDeviceCheckpointKey, EncodeDevices(content, deviceplugin::DeviceLayout::kV2)));
}

DeviceBenchNode::~DeviceBenchNode() {
  stack_.reset();
  plugin_.reset();
}

void DeviceBenchNode::StartStack() {
  stack_ = Must(DeviceStack::New({.files = machine_.files,
                                  .random = machine_.random,
                                  .threads = machine_.threads,
                                  .log = machine_.log,
                                  .metrics = machine_.metrics,
                                  .active_pods = machine_.pods,
                                  .pod_updates = machine_.pod_updates},
                                 {.folder = machine_.folder.path()}, {}));
}

std::unique_ptr<DeviceManager> DeviceBenchNode::NewManager() {
  return Must(
      DeviceManager::New({.files = machine_.files,
                          .random = machine_.random,
                          .threads = machine_.threads,
                          .log = machine_.log,
                          .metrics = machine_.metrics,
                          .active_pods = machine_.pods,
                          .pod_updates = machine_.pod_updates,
                          .connect = [](const std::string&,
                                        deviceplugin::PluginApi) { return absl::UnavailableError("no plugins here"); }},
                         {.folder = machine_.folder.path()}, {}));
}

void DeviceBenchNode::RunPlugin(size_t devices) {
  plugin_ = std::make_unique<FakeDevicePlugin>(
      FakeDevicePlugin::Dependencies{machine_.threads, machine_.files},
      FakeDevicePlugin::Options{
          .resource_name = kResource, .folder = machine_.folder.path(), .plugin = {.devices = BenchDevices(devices)}});
  Must(plugin_->Start());
  Must(plugin_->Register(machine_.folder.File("kubelet.sock")));
  AwaitCapacity(static_cast<int64_t>(devices), static_cast<int64_t>(devices));
  Flush();
}

void DeviceBenchNode::AwaitCapacity(int64_t capacity, int64_t allocatable) {
  machine_.log.Await([&] {
    const DeviceInventory::Capacity now = manager().GetCapacity();
    const auto shown = now.capacity.find(kResource);
    const auto healthy = now.allocatable.find(kResource);
    return shown != now.capacity.end() && shown->second == capacity && healthy != now.allocatable.end() &&
           healthy->second == allocatable;
  });
}

Pod DeviceBenchNode::NewPod() {
  Pod pod{.uid = absl::StrFormat("%08x-52c5-4c2b-9a51-0d6e0b7a1c01", last_pod_),
          .namespace_name = "default",
          .name = absl::StrCat("pod-", last_pod_),
          .containers = {{.name = "main-container", .limits = {{kResource, 1}}}}};
  ++last_pod_;
  machine_.pods.Add(pod.uid);
  return pod;
}

void DeviceBenchNode::Admit(const Pod& pod) { Must(manager().AllocatePod(pod)); }

void DeviceBenchNode::Remove(const std::vector<Pod>& pods) {
  for (const Pod& pod : pods) machine_.pods.Remove(pod.uid);
  manager().CollectLeftovers();
  Flush();
}

std::string DeviceBenchNode::ReadProcessFile(const std::string& name) {
  const std::unique_ptr<File> file = Must(machine_.files.Open("/proc/self/" + name, OpenMode::kRead, 0));
  return Must(file->Read(4096));
}

void DeviceBenchNode::Flush() { Must(manager().Flush()); }

std::string BenchDeviceId(size_t number) { return absl::StrFormat("gpu-%06d", number); }

v1beta1::ListAndWatchResponse BenchDevices(size_t count) {
  v1beta1::ListAndWatchResponse devices;
  for (size_t i = 0; i < count; ++i) {
    v1beta1::Device* device = devices.add_devices();
    device->set_id(BenchDeviceId(i));
    device->set_health("Healthy");
    device->mutable_topology()->add_nodes()->set_id(static_cast<int64_t>(i % 2));
  }
  return devices;
}

}  // namespace kubelet_cm
