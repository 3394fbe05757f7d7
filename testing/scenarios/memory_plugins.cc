#include "testing/scenarios/memory_plugins.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "deviceplugin/endpoint/fake_plugin_client.h"
#include "testing/scenarios/fake_steps.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {

using deviceplugin::FakePluginClient;
using deviceplugin::PluginClient;
using fakes::ScriptedPlugin;
using List = ::v1beta1::ListAndWatchResponse;

namespace {

// A stream of which each message has edges: when it is waited for, and when it has come.
class EdgeStream : public deviceplugin::DeviceStream {
 public:
  EdgeStream(CallEdges& edges, const std::string& plugin, std::unique_ptr<DeviceStream> inner)
      : edges_(edges), what_(absl::StrCat(plugin, "/ListAndWatch")), inner_(std::move(inner)) {}

  absl::StatusOr<deviceplugin::ListMessage> Read() override {
    return edges_.Around(what_, [&] { return inner_->Read(); });
  }
  void Cancel() override { inner_->Cancel(); }

 private:
  CallEdges& edges_;
  const std::string what_;
  const std::unique_ptr<DeviceStream> inner_;
};

}  // namespace

// A connection whose calls have edges.
class MemoryPlugins::Client : public PluginClient {
 public:
  Client(Threads& threads, CallEdges& edges, std::string name, ScriptedPlugin& plugin)
      : edges_(edges), name_(std::move(name)), inner_(threads, plugin) {}

  absl::StatusOr<v1beta1::DevicePluginOptions> GetOptions(absl::Duration timeout) override {
    return Call("GetDevicePluginOptions", [&] { return inner_.GetOptions(timeout); });
  }
  absl::StatusOr<v1beta1::AllocateResponse> Allocate(DeviceIds ids, absl::Duration timeout) override {
    return Call("Allocate", [&] { return inner_.Allocate(ids, timeout); });
  }
  absl::StatusOr<v1beta1::PreferredAllocationResponse> GetPreferredAllocation(DeviceIds available,
                                                                              DeviceIds must_include, int32_t size,
                                                                              absl::Duration timeout) override {
    return Call("GetPreferredAllocation",
                [&] { return inner_.GetPreferredAllocation(available, must_include, size, timeout); });
  }
  absl::Status PreStartContainer(DeviceIds ids, absl::Duration timeout) override {
    return Call("PreStartContainer", [&] { return inner_.PreStartContainer(ids, timeout); });
  }
  std::unique_ptr<deviceplugin::DeviceStream> ListAndWatch() override {
    return std::make_unique<EdgeStream>(edges_, name_, inner_.ListAndWatch());
  }
  void Disconnect() override { inner_.Disconnect(); }

 private:
  template <typename Body>
  auto Call(const std::string& method, Body body) -> decltype(body()) {
    return edges_.Around(absl::StrCat(name_, "/", method), body);
  }

  CallEdges& edges_;
  const std::string name_;
  FakePluginClient inner_;
};

absl::Status MemoryPlugins::Start(const proto::StartPlugin& start) {
  const std::string name = PluginNameOf(start);
  MutexLock lock(&mu_);
  const auto [found, is_new] = plugins_.try_emplace(name);
  Plugin& plugin = found->second;
  if (plugin.up) return absl::FailedPreconditionError(absl::StrCat("plugin ", name, " is up already"));
  const bool says_devices = start.count() > 0 || start.devices_size() > 0;
  List devices = plugin.lives.empty() ? List() : plugin.lives.back()->feed().devices();
  if (is_new || says_devices) {
    plugin.options = OptionsOf(start);
    devices = plugin.options.devices;
  }
  plugin.options.devices = std::move(devices);
  if (!start.resource().empty()) plugin.introduction.resource = start.resource();
  if (!start.api().empty()) plugin.introduction.api = start.api();
  plugin.introduction.endpoint = EndpointOf(name);
  plugin.stays_away = start.stays_away();
  plugin.lives.push_back(std::make_unique<ScriptedPlugin>(threads_, plugin.options));
  plugin.lives.back()->OnDeath([this, name](ScriptedPlugin::SessionId) { Died(name); });
  plugin.up = true;
  plugin.unlinked = false;
  return absl::OkStatus();
}

void MemoryPlugins::Died(const std::string& plugin) {
  ScriptedPlugin* dead = nullptr;
  {
    MutexLock lock(&mu_);
    plugins_.at(plugin).up = false;
    dead = plugins_.at(plugin).lives.back().get();
  }
  dead->Kill();
}

absl::StatusOr<ScriptedPlugin*> MemoryPlugins::FindUp(const std::string& plugin) const {
  MutexLock lock(&mu_);
  const auto found = plugins_.find(plugin);
  if (found != plugins_.end() && found->second.up) return found->second.lives.back().get();
  return absl::FailedPreconditionError(absl::StrCat("plugin ", plugin, " is not up"));
}

absl::Status MemoryPlugins::Stop(const proto::StopPlugin& stop) {
  ASSIGN_OR_RETURN(ScriptedPlugin* const plugin, FindUp(stop.plugin()));
  if (stop.how() == proto::StopPlugin::GRACEFUL) plugin->feed().EndAll(absl::OutOfRangeError("EOF"));
  Died(stop.plugin());
  return absl::OkStatus();
}

void MemoryPlugins::KillAll() {
  for (const std::string& name : Up(false)) Died(name);
}

absl::Status MemoryPlugins::Change(const proto::ChangeDevices& change) {
  ASSIGN_OR_RETURN(ScriptedPlugin* const plugin, FindUp(change.plugin()));
  if (change.health_size() == 0) {
    plugin->feed().Publish(ListOf(change.devices()));
    return absl::OkStatus();
  }
  for (const proto::Device& device : change.health()) {
    RETURN_IF_ERROR(plugin->feed().SetHealth(device.id(), device.health().empty() ? "Healthy" : device.health()));
  }
  return absl::OkStatus();
}

absl::Status MemoryPlugins::Fail(const proto::PluginFault& fault) {
  ASSIGN_OR_RETURN(ScriptedPlugin* const plugin, FindUp(fault.plugin()));
  Arm(plugin->script(), fault);
  return absl::OkStatus();
}

absl::Status MemoryPlugins::Unlink(const std::string& plugin) {
  RETURN_IF_ERROR(FindUp(plugin).status());
  MutexLock lock(&mu_);
  plugins_.at(plugin).unlinked = true;
  return absl::OkStatus();
}

void MemoryPlugins::MakeSocketsAnew() {
  MutexLock lock(&mu_);
  for (auto& [name, plugin] : plugins_) plugin.unlinked = false;
}

absl::StatusOr<MemoryPlugins::Introduction> MemoryPlugins::Introduce(const std::string& plugin) const {
  RETURN_IF_ERROR(FindUp(plugin).status());
  MutexLock lock(&mu_);
  return plugins_.at(plugin).introduction;
}

std::vector<std::string> MemoryPlugins::Up(bool followers) const {
  std::vector<std::string> names;
  MutexLock lock(&mu_);
  for (const auto& [name, plugin] : plugins_) {
    if (plugin.up && !(followers && plugin.stays_away)) names.push_back(name);
  }
  return names;
}

absl::StatusOr<std::unique_ptr<PluginClient>> MemoryPlugins::Connect(const std::string& socket_path, CallEdges& edges) {
  std::string name;
  {
    MutexLock lock(&mu_);
    const auto found = std::find_if(plugins_.begin(), plugins_.end(), [&](const auto& entry) {
      return socket_path.ends_with("/" + entry.second.introduction.endpoint);
    });
    if (found != plugins_.end() && !found->second.unlinked) name = found->first;
  }
  const absl::StatusOr<ScriptedPlugin*> plugin = FindUp(name);
  if (!plugin.ok()) {
    return absl::DeadlineExceededError("failed to dial device plugin: context deadline exceeded");
  }
  return std::make_unique<Client>(threads_, edges, name, **plugin);
}

std::vector<SeenCall> MemoryPlugins::Calls(const std::string& plugin) const {
  std::vector<ScriptedPlugin*> lives;
  {
    MutexLock lock(&mu_);
    const auto found = plugins_.find(plugin);
    if (found == plugins_.end()) return {};
    for (const auto& life : found->second.lives) lives.push_back(life.get());
  }
  std::vector<SeenCall> calls;
  for (ScriptedPlugin* life : lives) {
    for (const fakes::PluginCall& call : life->script().Calls()) {
      calls.push_back({.method = fakes::MethodName(call.method), .ids = call.ids});
    }
  }
  return calls;
}

std::map<std::string, std::string> MemoryPlugins::Connected() const {
  std::map<std::string, std::string> connected;
  for (const std::string& name : Up(false)) {
    const absl::StatusOr<ScriptedPlugin*> plugin = FindUp(name);
    if (!plugin.ok() || (*plugin)->feed().stream_count() == 0) continue;
    MutexLock lock(&mu_);
    connected[name] = plugins_.at(name).introduction.resource;
  }
  return connected;
}

}  // namespace kubelet_cm::scenarios
