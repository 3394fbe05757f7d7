#include "deviceplugin/device_stack.h"

#include <optional>
#include <utility>
#include <vector>

#include "common/status/status_macros.h"
#include "deviceplugin/device_restore.h"
#include "deviceplugin/endpoint/connect_plugin.h"
#include "deviceplugin/registration/api_versions.h"

namespace kubelet_cm::deviceplugin {
namespace {

std::vector<PluginApi> OfferedBy(const Personality& kubelet) {
  std::vector<PluginApi> offered;
  for (const std::string_view version : kubelet.device_plugin_versions) {
    if (const std::optional<PluginApi> api = ParseApiVersion(version); api.has_value()) offered.push_back(*api);
  }
  return offered;
}

}  // namespace

absl::StatusOr<std::unique_ptr<DeviceStack>> DeviceStack::New(const Dependencies& dependencies,
                                                              const DeviceManagerOptions& options,
                                                              NodeStart node_start) {
  return NewBeside(dependencies, options, [&]() -> absl::StatusOr<NodeStart> { return std::move(node_start); });
}

absl::StatusOr<std::unique_ptr<DeviceStack>> DeviceStack::NewBeside(const Dependencies& dependencies,
                                                                    const DeviceManagerOptions& options,
                                                                    DeviceManager::FindNodeStart find_node_start) {
  const ConnectDependencies connecting{.files = dependencies.files, .log = dependencies.log};
  ASSIGN_OR_RETURN(std::unique_ptr<DeviceManager> manager,
                   DeviceManager::NewBeside(
                       {.files = dependencies.files,
                        .random = dependencies.random,
                        .threads = dependencies.threads,
                        .log = dependencies.log,
                        .metrics = dependencies.metrics,
                        .active_pods = dependencies.active_pods,
                        .pod_updates = dependencies.pod_updates,
                        .connect = [connecting](const std::string& socket_path,
                                                PluginApi api) { return ConnectPlugin(connecting, socket_path, api); },
                        .events = dependencies.events},
                       options, find_node_start));
  std::unique_ptr<DeviceStack> stack(new DeviceStack(std::move(manager), dependencies.log));
  ASSIGN_OR_RETURN(stack->server_, RegistrationServer::New(dependencies.files,
                                                           {.log = dependencies.log,
                                                            .metrics = dependencies.metrics,
                                                            .handler = stack->manager_->plugins()},
                                                           stack->health_,
                                                           {.socket_path = options.folder + "/kubelet.sock",
                                                            .offered = OfferedBy(*options.kubelet),
                                                            .accept_with = &dependencies.threads,
                                                            .checkpoint_name = kDeviceCheckpointKey}));
  return stack;
}

DeviceStack::DeviceStack(std::unique_ptr<DeviceManager> manager, Logger& log)
    : manager_(std::move(manager)), watcher_handler_(manager_->plugins(), log) {}

DeviceStack::~DeviceStack() = default;

absl::Status DeviceStack::Shutdown() {
  server_->Shutdown();
  // Before the plugins go, which takes their devices out of the file.
  const absl::Status written = manager_->Flush();
  manager_->plugins().DisconnectAll();
  return written;
}

}  // namespace kubelet_cm::deviceplugin
