#include "testing/harness/device_node.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/personality/personality.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"
#include "deviceplugin/endpoint/fake_plugin_client.h"

namespace kubelet_cm::harness {

using deviceplugin::DeviceInventory;
using deviceplugin::DeviceManager;
using deviceplugin::DeviceManagerOptions;
using deviceplugin::FakePluginClient;
using deviceplugin::PluginApi;
using deviceplugin::PluginClient;
using fakes::ScriptedPlugin;

Pod PodWith(const std::string& uid, absl::btree_map<std::string, int64_t> limits) {
  return {.uid = uid,
          .namespace_name = "default",
          .name = absl::StrCat("pod-", uid),
          .containers = {{.name = "main", .limits = std::move(limits)}}};
}

DeviceNode::~DeviceNode() { Kill(); }

absl::Status DeviceNode::Start(std::string_view kubelet, NodeStart found, DeviceManagerOptions options) {
  CHECK(manager_ == nullptr) << "a manager is running";
  ASSIGN_OR_RETURN(options.kubelet, ParsePersonality(kubelet));
  options.folder = kFolder;
  metrics_ = std::make_unique<MetricsRegistry>();
  const auto connect = [this](const std::string& socket, PluginApi) -> absl::StatusOr<std::unique_ptr<PluginClient>> {
    MutexLock lock(&mu_);
    const auto found_plugin = plugins_.find(socket);
    if (found_plugin == plugins_.end()) {
      return absl::DeadlineExceededError("failed to dial device plugin: context deadline exceeded");
    }
    return std::make_unique<FakePluginClient>(threads, *found_plugin->second);
  };
  ASSIGN_OR_RETURN(manager_, DeviceManager::New({.files = files,
                                                 .random = random,
                                                 .threads = manager_threads,
                                                 .log = log,
                                                 .metrics = *metrics_,
                                                 .active_pods = pods,
                                                 .pod_updates = pod_updates,
                                                 .connect = connect},
                                                options, std::move(found)));
  return absl::OkStatus();
}

void DeviceNode::Kill() {
  disk.KillProcess();
  manager_.reset();
}

ScriptedPlugin& DeviceNode::AddPlugin(const std::string& socket, ScriptedPlugin::Options options) {
  auto plugin = std::make_unique<ScriptedPlugin>(threads, std::move(options));
  ScriptedPlugin& added = *plugin;
  MutexLock lock(&mu_);
  CHECK(plugins_.emplace(socket, std::move(plugin)).second) << "there is a plugin at " << socket;
  return added;
}

absl::Status DeviceNode::Register(const std::string& resource, const std::string& socket) {
  return manager_->plugins().Register({.resource_name = resource, .endpoint_name = socket, .socket_path = socket});
}

absl::Status DeviceNode::RunPlugin(const std::string& resource, const std::string& socket,
                                   ScriptedPlugin::Options options) {
  AddPlugin(socket, std::move(options));
  const size_t lists = log.Count("Processed device updates for resource");
  RETURN_IF_ERROR(Register(resource, socket));
  if (log.AwaitLine("Processed device updates for resource", lists + 1)) return absl::OkStatus();
  return absl::DeadlineExceededError(absl::StrCat("the devices of ", socket, " were not listed"));
}

void DeviceNode::KillPlugin(const std::string& socket) {
  std::unique_ptr<ScriptedPlugin> killed;
  {
    MutexLock lock(&mu_);
    auto node = plugins_.extract(socket);
    CHECK(!node.empty()) << "no plugin is at " << socket;
    killed = std::move(node.mapped());
  }
  killed->Kill();
  MutexLock lock(&mu_);
  dead_.push_back(std::move(killed));
}

absl::Status DeviceNode::Admit(const Pod& pod) {
  pods.Add(pod.uid);
  return manager_->AllocatePod(pod);
}

std::vector<std::string> DeviceNode::Devices(const std::string& pod_uid, const std::string& resource,
                                             const std::string& container) {
  std::vector<std::string> ids;
  const deviceplugin::HeldDevices held = manager_->ContainerDevices(pod_uid, container);
  const auto found = held.find(resource);
  if (found == held.end()) return ids;
  for (const auto& [id, nodes] : found->second) ids.push_back(id);
  return ids;
}

testing::AssertionResult DeviceNode::Await(absl::FunctionRef<bool()> holds) {
  if (log.Await(holds)) return testing::AssertionSuccess();
  testing::AssertionResult failure = testing::AssertionFailure()
                                     << "what was waited for did not come about; the log:\n";
  for (const CapturedLine& line : log.lines()) failure << line << "\n";
  return failure;
}

testing::AssertionResult DeviceNode::AwaitCapacity(const std::string& resource, int64_t capacity, int64_t allocatable) {
  DeviceInventory::Capacity last;
  const auto holds = [&] {
    last = manager_->GetCapacity();
    return last.capacity[resource] == capacity && last.allocatable[resource] == allocatable;
  };
  return Await(holds) << "\ncapacity " << last.capacity[resource] << ", allocatable " << last.allocatable[resource];
}

}  // namespace kubelet_cm::harness
