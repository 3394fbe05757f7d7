#include "testing/scenarios/program_plugins.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "deviceplugin/registration/api_versions.h"
#include "testing/scenarios/fake_steps.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {
namespace {

using deviceplugin::PluginApi;
using fakes::FakeDevicePlugin;
using fakes::PluginMethod;

std::vector<SeenCall> CallsOf(FakeDevicePlugin& fake) {
  std::vector<SeenCall> calls;
  for (const fakes::PluginCall& call : fake.Calls()) {
    calls.push_back({.method = fakes::MethodName(call.method), .ids = call.ids});
  }
  return calls;
}

}  // namespace

ProgramPlugins::ProgramPlugins(harness::RealMachine& machine, std::string folder, ProgramDeath& death)
    : machine_(machine), folder_(std::move(folder)), death_(death) {}

void ProgramPlugins::Make(const std::string& name, Plugin& plugin, PluginApi api) {
  if (plugin.fake != nullptr) {
    plugin.options.devices = plugin.fake->feed().devices();
    for (SeenCall& call : CallsOf(*plugin.fake)) plugin.earlier_calls.push_back(std::move(call));
  }
  plugin.spoken = api;
  plugin.fake = std::make_unique<FakeDevicePlugin>(FakeDevicePlugin::Dependencies{machine_.threads, machine_.files},
                                                   FakeDevicePlugin::Options{.resource_name = plugin.resource,
                                                                             .folder = folder_,
                                                                             .socket_name = EndpointOf(name),
                                                                             .api = api,
                                                                             .plugin = plugin.options});
  plugin.fake->script().Guard([this](PluginMethod method) { return death_.Come(fakes::MethodName(method)); });
}

absl::Status ProgramPlugins::Start(const proto::StartPlugin& start) {
  const std::string name = PluginNameOf(start);
  const auto [found, is_new] = plugins_.try_emplace(name);
  Plugin& plugin = found->second;
  if (!is_new && plugin.fake->serving()) {
    return absl::FailedPreconditionError(absl::StrCat("plugin ", name, " is up already"));
  }
  const bool says_devices = start.count() > 0 || start.devices_size() > 0;
  const bool other_resource = !start.resource().empty() && start.resource() != plugin.resource;
  plugin.stays_away = start.stays_away();
  plugin.unlinked = false;
  if (!start.resource().empty()) plugin.resource = start.resource();
  if (!start.api().empty()) plugin.api = start.api();
  if (is_new || says_devices) plugin.options = OptionsOf(start);
  if (is_new || says_devices || other_resource) {
    const auto api = deviceplugin::ParseApiVersion(plugin.api);
    const auto devices = plugin.options.devices;
    Make(name, plugin, api.value_or(plugin.spoken));
    if (says_devices) plugin.fake->SetDevices(devices);
  }
  return plugin.fake->Start();
}

absl::StatusOr<ProgramPlugins::Plugin*> ProgramPlugins::FindUp(const std::string& plugin) {
  const auto found = plugins_.find(plugin);
  if (found != plugins_.end() && found->second.fake->serving()) return &found->second;
  return absl::FailedPreconditionError(absl::StrCat("plugin ", plugin, " is not up"));
}

absl::Status ProgramPlugins::Stop(const proto::StopPlugin& stop) {
  ASSIGN_OR_RETURN(Plugin* const plugin, FindUp(stop.plugin()));
  stop.how() == proto::StopPlugin::GRACEFUL ? plugin->fake->Stop() : plugin->fake->Kill();
  return absl::OkStatus();
}

void ProgramPlugins::KillAll() {
  for (auto& [name, plugin] : plugins_) plugin.fake->Kill();
}

absl::Status ProgramPlugins::Change(const proto::ChangeDevices& change) {
  ASSIGN_OR_RETURN(Plugin* const plugin, FindUp(change.plugin()));
  if (change.health_size() == 0) plugin->fake->SetDevices(ListOf(change.devices()));
  for (const proto::Device& device : change.health()) {
    RETURN_IF_ERROR(plugin->fake->SetHealth(device.id(), device.health().empty() ? "Healthy" : device.health()));
  }
  return absl::OkStatus();
}

absl::Status ProgramPlugins::Fail(const proto::PluginFault& fault) {
  ASSIGN_OR_RETURN(Plugin* const plugin, FindUp(fault.plugin()));
  Arm(plugin->fake->script(), fault);
  return absl::OkStatus();
}

absl::Status ProgramPlugins::Unlink(const std::string& plugin) {
  ASSIGN_OR_RETURN(Plugin* const up, FindUp(plugin));
  RETURN_IF_ERROR(machine_.files.Unlink(up->fake->socket_path()));
  up->unlinked = true;
  return absl::OkStatus();
}

void ProgramPlugins::MakeSocketsAnew() {
  for (auto& [name, plugin] : plugins_) plugin.unlinked = false;
}

std::vector<std::string> ProgramPlugins::Up(bool followers) const {
  std::vector<std::string> names;
  for (const auto& [name, plugin] : plugins_) {
    if (plugin.fake->serving() && !(followers && plugin.stays_away)) names.push_back(name);
  }
  return names;
}

std::vector<SeenCall> ProgramPlugins::Calls(const std::string& plugin) const {
  const auto found = plugins_.find(plugin);
  if (found == plugins_.end()) return {};
  std::vector<SeenCall> calls = found->second.earlier_calls;
  for (SeenCall& call : CallsOf(*found->second.fake)) calls.push_back(std::move(call));
  return calls;
}

std::map<std::string, std::string> ProgramPlugins::Connected() const {
  std::map<std::string, std::string> connected;
  for (const auto& [name, state] : All()) {
    if (state.listing) connected[name] = state.resource;
  }
  return connected;
}

absl::Status ProgramPlugins::Register(const std::string& plugin, PluginApi newest) {
  ASSIGN_OR_RETURN(Plugin* const up, FindUp(plugin));
  if (up->api.empty() && up->spoken != newest) {
    Make(plugin, *up, newest);
    RETURN_IF_ERROR(up->fake->Start());
  }
  const std::string kubelet = folder_ + "/kubelet.sock";
  RETURN_IF_ERROR(machine_.files.Stat(kubelet).status());
  // A kubelet that starts takes away the sockets that it finds.
  const bool is_missing = !machine_.files.Stat(up->fake->socket_path()).ok();
  if (is_missing && !up->unlinked) RETURN_IF_ERROR(up->fake->Restart());
  const int lists = up->fake->script().CallCount(PluginMethod::kListAndWatch);
  RETURN_IF_ERROR(up->fake->Register(kubelet));
  return up->fake->WaitForCall(PluginMethod::kListAndWatch, lists + 1).status();
}

void ProgramPlugins::KubeletIsGone() {
  for (auto& [name, plugin] : plugins_) {
    plugin.fake->feed().EndAll(absl::UnavailableError("the kubelet is gone"));
    plugin.fake->script().CallersAreGone();
  }
}

std::map<std::string, ProgramPlugins::State> ProgramPlugins::All() const {
  std::map<std::string, State> all;
  for (const auto& [name, plugin] : plugins_) {
    all[name] = {.resource = plugin.resource,
                 .socket_path = plugin.fake->socket_path(),
                 .listing = plugin.fake->serving() && plugin.fake->feed().stream_count() > 0,
                 .held_calls = plugin.fake->serving() && plugin.fake->script().HeldCount() > 0,
                 .devices = plugin.fake->feed().devices()};
  }
  return all;
}

int ProgramPlugins::HeldCount() const {
  int held = 0;
  for (const auto& [name, plugin] : plugins_) held += plugin.fake->script().HeldCount();
  return held;
}

}  // namespace kubelet_cm::scenarios
