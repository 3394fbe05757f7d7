#include "tools/bench/device_bench_node.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "checkpointmanager/checkpoint_manager.h"
#include "common/status/check.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/sample_content.h"
#include "deviceplugin/device_restore.h"

namespace kubelet_cm {

using deviceplugin::DeviceContent;
using deviceplugin::DeviceInventory;
using deviceplugin::DeviceManager;
using deviceplugin::DeviceStack;
using fakes::FakeDevicePlugin;

namespace {

template <typename T>
T Must(absl::StatusOr<T> value) {
  CHECK(value.ok()) << value.status().ToString();
  return *std::move(value);
}

void Must(const absl::Status& status) { CHECK(status.ok()) << status.ToString(); }

}  // namespace

DeviceBenchNode::DeviceBenchNode(size_t pods) : last_pod_(pods) {
  if (pods == 0) return;
  const DeviceContent content = deviceplugin::SampleContent(pods);
  for (const deviceplugin::DeviceEntry& entry : *content.entries) pods_.Add(entry.pod_uid);
  const auto manager = Must(CheckpointManager::New(files_, random_, folder_.path()));
  Must(manager->Write(deviceplugin::kDeviceCheckpointKey, EncodeDevices(content, deviceplugin::DeviceLayout::kV2)));
}

DeviceBenchNode::~DeviceBenchNode() {
  stack_.reset();
  plugin_.reset();
}

void DeviceBenchNode::StartStack() {
  metrics_ = std::make_unique<MetricsRegistry>();
  stack_ = Must(DeviceStack::New({.files = files_,
                                  .random = random_,
                                  .threads = threads_,
                                  .log = log_,
                                  .metrics = *metrics_,
                                  .active_pods = pods_,
                                  .pod_updates = pod_updates_},
                                 {.folder = folder_.path()}, {}));
}

std::unique_ptr<DeviceManager> DeviceBenchNode::NewManager() {
  metrics_ = std::make_unique<MetricsRegistry>();
  return Must(
      DeviceManager::New({.files = files_,
                          .random = random_,
                          .threads = threads_,
                          .log = log_,
                          .metrics = *metrics_,
                          .active_pods = pods_,
                          .pod_updates = pod_updates_,
                          .connect = [](const std::string&,
                                        deviceplugin::PluginApi) { return absl::UnavailableError("no plugins here"); }},
                         {.folder = folder_.path()}, {}));
}

void DeviceBenchNode::RunPlugin(size_t devices) {
  plugin_ = std::make_unique<FakeDevicePlugin>(
      FakeDevicePlugin::Dependencies{threads_, files_},
      FakeDevicePlugin::Options{
          .resource_name = kResource, .folder = folder_.path(), .plugin = {.devices = BenchDevices(devices)}});
  Must(plugin_->Start());
  Must(plugin_->Register(folder_.File("kubelet.sock")));
  AwaitCapacity(static_cast<int64_t>(devices), static_cast<int64_t>(devices));
  Flush();
}

void DeviceBenchNode::AwaitCapacity(int64_t capacity, int64_t allocatable) {
  log_.Await([&] {
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
  pods_.Add(pod.uid);
  return pod;
}

void DeviceBenchNode::Admit(const Pod& pod) { Must(manager().AllocatePod(pod)); }

void DeviceBenchNode::Remove(const std::vector<Pod>& pods) {
  for (const Pod& pod : pods) pods_.Remove(pod.uid);
  manager().CollectLeftovers();
  Flush();
}

std::string DeviceBenchNode::ReadProcessFile(const std::string& name) {
  const std::unique_ptr<File> file = Must(files_.Open("/proc/self/" + name, OpenMode::kRead, 0));
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
