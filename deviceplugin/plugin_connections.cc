#include "deviceplugin/plugin_connections.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::deviceplugin {

PluginConnections::PluginConnections(Dependencies dependencies, Timeouts timeouts)
    : deps_(std::move(dependencies)), timeouts_(timeouts) {}

PluginConnections::~PluginConnections() {
  std::vector<std::shared_ptr<PluginEndpoint>> rest;
  {
    MutexLock lock(&mu_);
    for (auto& [id, endpoint] : connected_) rest.push_back(std::move(endpoint));
    connected_.clear();
  }
  for (const auto& endpoint : rest) endpoint->Stop();
  rest.clear();
  Reap();
}

absl::Status PluginConnections::CheckRoom() const {
  MutexLock lock(&mu_);
  if (connected_.size() >= kMaxConnectedPlugins) {
    return absl::ResourceExhaustedError(
        absl::StrCat("there are ", kMaxConnectedPlugins, " device plugins already; no more are taken"));
  }
  return absl::OkStatus();
}

absl::Status PluginConnections::Register(const RegisterPlugin& request) {
  RETURN_IF_ERROR(CheckRoom());
  const LogField name{"name", request.resource_name};
  const LogField path{"socketPath", request.socket_path};
  deps_.log.V(2).Info("Registered client", {name, path});
  const absl::Status connected = Connect(request);
  if (!connected.ok()) {
    deps_.log.V(2).Info("Deregistered client", {name, path});
    deps_.log.Error(connected, "Failed to connect to new client", {{"resource", request.resource_name}, path});
  }
  return connected;
}

absl::Status PluginConnections::Connect(const RegisterPlugin& request) {
  absl::StatusOr<std::unique_ptr<PluginClient>> client = deps_.connect(request.socket_path, request.api);
  if (!client.ok()) {
    deps_.log.Error(client.status(), "Unable to connect to device plugin client with socket path",
                    {{"path", request.socket_path}});
    return client.status();
  }
  const auto endpoint = std::make_shared<PluginEndpoint>(
      PluginEndpoint::Dependencies{.threads = deps_.threads, .log = deps_.log},
      PluginEndpoint::Options{.resource_name = request.resource_name,
                              .socket_path = request.socket_path,
                              .get_options_timeout = timeouts_.get_options,
                              .allocate_timeout = timeouts_.allocate,
                              .preferred_allocation_timeout = timeouts_.preferred_allocation,
                              .pre_start_timeout = timeouts_.pre_start},
      *std::move(client));
  ASSIGN_OR_RETURN(const v1beta1::DevicePluginOptions options, endpoint->GetOptions());
  return Add(endpoint, options);
}

absl::Status PluginConnections::CheckRoomFor(const std::string& resource) const {
  const size_t known = deps_.state.inventory.size();
  if (known < kMaxKnownResources || deps_.state.inventory.Knows(resource)) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("there are ", known, " resources of device plugins already; no more are taken"));
}

absl::Status PluginConnections::Add(const std::shared_ptr<PluginEndpoint>& endpoint,
                                    const v1beta1::DevicePluginOptions& options) {
  {
    MutexLock lock(&deps_.state.mu);
    RETURN_IF_ERROR(CheckRoomFor(endpoint->resource_name()));
  }
  {
    MutexLock lock(&mu_);
    endpoint->SetId(++last_id_);
    connected_.emplace(endpoint->id(), endpoint);
  }
  std::vector<InstanceId> replaced;
  std::vector<std::string> health_changed;
  {
    MutexLock lock(&deps_.state.mu);
    DeviceInventory& inventory = deps_.state.inventory;
    for (const PluginInstance& other : inventory.Instances(endpoint->resource_name())) {
      if (IsReplaced(other, endpoint->socket_path())) replaced.push_back(other.id);
    }
    inventory.Connect(endpoint->resource_name(),
                      {.id = endpoint->id(),
                       .socket_path = endpoint->socket_path(),
                       .pre_start_required = options.pre_start_required(),
                       .get_preferred_allocation_available = options.get_preferred_allocation_available()});
    // After the new one is there: at no moment is the resource without a plugin.
    for (const InstanceId id : replaced) {
      DeviceInventory::DisconnectChange change =
          inventory.Disconnect(endpoint->resource_name(), id, deps_.threads.clock().MonotonicNow());
      if (change.registered_changed) deps_.state.RegisteredChanged();
      std::move(change.health_changed.begin(), change.health_changed.end(), std::back_inserter(health_changed));
    }
  }
  deps_.log.V(2).Info("Device plugin connected", {{"resourceName", endpoint->resource_name()}});
  deps_.log.V(2).Info("Connected to new client",
                      {{"resource", endpoint->resource_name()}, {"socketPath", endpoint->socket_path()}});
  Tell({.kind = event_kind::kPluginConnected,
        .subject = endpoint->resource_name(),
        .details = {{"type", "DevicePlugin"}, {"endpoint", endpoint->socket_path()}}});
  for (const InstanceId id : replaced) {
    if (const std::shared_ptr<PluginEndpoint> old = Find(id); old != nullptr) old->Stop();
  }
  Announce(endpoint->resource_name(), std::move(health_changed), nullptr);
  endpoint->Watch(*this);
  deps_.changed.Set();
  return absl::OkStatus();
}

bool PluginConnections::IsReplaced(const PluginInstance& instance, const std::string& socket_path) const {
  return deps_.rules.second_plugin == SecondPlugin::kTakesItsPlace || instance.socket_path == socket_path;
}

void PluginConnections::Deregister(const std::string& resource, const std::string& socket_path) {
  // Kubelets that knew one plugin of a resource looked for its name alone.
  const bool by_name = deps_.rules.second_plugin != SecondPlugin::kServesBeside;
  StopInstances(resource,
                [&](const PluginInstance& instance) { return by_name || instance.socket_path == socket_path; });
}

void PluginConnections::StopInstances(const std::string& resource,
                                      absl::FunctionRef<bool(const PluginInstance&)> which) {
  std::vector<PluginInstance> instances;
  {
    MutexLock lock(&deps_.state.mu);
    instances = deps_.state.inventory.Instances(resource);
  }
  for (const PluginInstance& instance : instances) {
    if (!which(instance)) continue;
    if (const std::shared_ptr<PluginEndpoint> endpoint = Find(instance.id); endpoint != nullptr) endpoint->Stop();
  }
}

void PluginConnections::DisconnectAll() {
  std::vector<std::shared_ptr<PluginEndpoint>> all;
  {
    MutexLock lock(&mu_);
    for (const auto& [id, endpoint] : connected_) all.push_back(endpoint);
  }
  for (const auto& endpoint : all) endpoint->Stop();
}

std::shared_ptr<PluginEndpoint> PluginConnections::Find(InstanceId id) const {
  MutexLock lock(&mu_);
  const auto found = connected_.find(id);
  return found == connected_.end() ? nullptr : found->second;
}

std::optional<PluginConnections::Connected> PluginConnections::PrimaryOtherThan(const std::string& resource,
                                                                                const PluginEndpoint* asked) const {
  std::optional<PluginInstance> primary;
  {
    MutexLock lock(&deps_.state.mu);
    primary = deps_.state.inventory.Primary(resource);
  }
  if (!primary.has_value() || (asked != nullptr && primary->id == asked->id())) return std::nullopt;
  std::shared_ptr<PluginEndpoint> endpoint = Find(primary->id);
  if (endpoint == nullptr) return std::nullopt;
  return Connected{.instance = *std::move(primary), .endpoint = std::move(endpoint)};
}

PluginEndpoint* PluginConnections::FindForItsThread(InstanceId id) const {
  MutexLock lock(&mu_);
  const auto found = connected_.find(id);
  return found == connected_.end() ? nullptr : found->second.get();
}

void PluginConnections::OnDevices(InstanceId id, const v1beta1::ListAndWatchResponse& message) {
  PluginEndpoint* const endpoint = FindForItsThread(id);
  if (endpoint == nullptr) return;
  const std::string& resource = endpoint->resource_name();
  deps_.log.V(2).Info("State pushed for device plugin",
                      {{"resource", resource}, {"resourceCapacity", message.devices_size()}});
  ListFindings findings;
  const auto devices = MakeDeviceList(message, &findings);
  if (!devices.ok()) {
    deps_.log.Error(devices.status(), "Refused the list of a device plugin", {{"resource", resource}});
    endpoint->Stop();
    return;
  }
  LogFindings(resource, findings);
  const ListTaken taken = TakeList(resource, id, *devices);
  const DeviceList& list = *taken.list;
  if (taken.refused > 0) {
    deps_.log.Error("There is no room for new devices of a device plugin", {{"resource", resource},
                                                                            {"refused", taken.refused},
                                                                            {"limit", deps_.state.limits.listed_bytes},
                                                                            {"kept", list.size()}});
  }
  Announce(resource, taken.change.health_changed, &list);
  if (taken.state_changed) deps_.changed.Set();
  if (!taken.change.health_changed.empty()) {
    Tell({.kind = event_kind::kDevicesChanged,
          .subject = resource,
          .details = {{"devices", absl::StrCat(list.size())},
                      {"healthy", absl::StrCat(list.healthy_count())},
                      {"changed", absl::StrCat(taken.change.health_changed.size())}}});
  }
  deps_.log.V(2).Info(
      "Processed device updates for resource",
      {{"resourceName", resource}, {"totalCount", list.size()}, {"healthyCount", list.healthy_count()}});
}

PluginConnections::ListTaken PluginConnections::TakeList(const std::string& resource, InstanceId id,
                                                         std::shared_ptr<const DeviceList> devices) {
  ListTaken taken{.list = std::move(devices)};
  MutexLock lock(&deps_.state.mu);
  if (!HasRoomFor(resource, id, *taken.list)) {
    // What was there stays, and what the plugin says of its health counts.
    const std::shared_ptr<const DeviceList> known = deps_.state.inventory.ListOf(resource, id);
    std::shared_ptr<const DeviceList> kept =
        DeviceList::OnlyKnown(*taken.list, known == nullptr ? *DeviceList::Empty() : *known);
    taken.refused = taken.list->size() - kept->size();
    taken.list = std::move(kept);
  }
  taken.change = deps_.state.inventory.SetDevices(resource, id, taken.list);
  bool nodes_corrected = false;
  if (taken.change.is_primary && deps_.state.ledger.AssumesNumaNodes(resource)) {
    const auto nodes_of = [&](std::string_view device_id) -> std::optional<absl::Span<const int>> {
      const ListedDevice* device = taken.list->Find(device_id);
      if (device == nullptr) return std::nullopt;
      return device->numa_nodes;
    };
    nodes_corrected = deps_.state.ledger.CorrectNumaNodes(resource, nodes_of) > 0;
  }
  if (taken.change.registered_changed) deps_.state.RegisteredChanged();
  if (nodes_corrected) deps_.state.Changed();
  taken.state_changed = nodes_corrected || taken.change.registered_changed;
  return taken;
}

bool PluginConnections::HasRoomFor(const std::string& resource, InstanceId id, const DeviceList& devices) const {
  const size_t bytes = deps_.state.inventory.IdBytesWith(resource, id, devices);
  return bytes <= deps_.state.limits.listed_bytes &&
         bytes + deps_.state.ledger.entry_bytes() <= deps_.state.limits.file_bytes;
}

void PluginConnections::Tell(NodeEvent event) {
  if (deps_.events != nullptr) deps_.events->Record(std::move(event));
}

void PluginConnections::LogFindings(const std::string& resource, const ListFindings& findings) {
  if (findings.empty()) return;
  deps_.log.Warning("A device plugin sent devices that are odd", {{"resource", resource},
                                                                  {"withoutID", findings.dropped_empty},
                                                                  {"repeated", findings.repeated},
                                                                  {"conflictingHealth", findings.conflicting},
                                                                  {"longIDs", findings.long_ids},
                                                                  {"unknownNUMANodes", findings.bad_numa_nodes},
                                                                  {"examples", findings.samples}});
}

std::vector<std::string> PluginConnections::HoldersOfAny(const std::string& resource,
                                                         const std::vector<std::string>& ids) const {
  if (deps_.rules.health_news != HealthNews::kOfListedByAnybodysName) {
    return deps_.state.ledger.HoldersOfAny(resource, ids);
  }
  std::vector<std::string> pods;
  for (const auto& [name, count] : deps_.state.ledger.TakenCounts()) {
    const std::vector<std::string> holders = deps_.state.ledger.HoldersOfAny(name, ids);
    pods.insert(pods.end(), holders.begin(), holders.end());
  }
  return pods;
}

void PluginConnections::Announce(const std::string& resource, std::vector<std::string> health_changed,
                                 const DeviceList* listed) {
  if (deps_.rules.health_news == HealthNews::kNone) return;
  if (deps_.rules.health_news != HealthNews::kAll) {
    const auto is_missing = [&](const std::string& id) { return listed == nullptr || listed->Find(id) == nullptr; };
    health_changed.erase(std::remove_if(health_changed.begin(), health_changed.end(), is_missing),
                         health_changed.end());
  }
  std::vector<std::string> pods;
  {
    MutexLock lock(&deps_.state.mu);
    pods = HoldersOfAny(resource, health_changed);
  }
  deps_.pod_updates.Add(pods);
}

void PluginConnections::OnEnded(InstanceId id, const absl::Status& reason) {
  const PluginEndpoint* const endpoint = FindForItsThread(id);
  if (endpoint == nullptr) return;
  const std::string& resource = endpoint->resource_name();
  DeviceInventory::DisconnectChange change;
  {
    MutexLock lock(&deps_.state.mu);
    change = deps_.state.inventory.Disconnect(resource, id, deps_.threads.clock().MonotonicNow());
    // For the next write, whatever it is for: a plugin that comes back soon is no reason for one.
    deps_.state.registered_changed |= change.registered_changed;
  }
  Announce(resource, std::move(change.health_changed), nullptr);
  // One that was replaced by the same plugin has not gone.
  if (deps_.rules.second_plugin == SecondPlugin::kSharesItsFate && change.was_connected) {
    StopInstances(resource, [](const PluginInstance&) { return true; });
  }
  deps_.log.V(2).Info("Deregistered client", {{"name", resource}, {"socketPath", endpoint->socket_path()}});
  Tell({.kind = event_kind::kPluginGone,
        .subject = resource,
        .message = std::string(reason.message()),
        .details = {{"type", "DevicePlugin"}, {"endpoint", endpoint->socket_path()}}});
  if (change.stopped) {
    deps_.log.V(2).Info("Mark all resources Unhealthy for resource", {{"resourceName", resource}});
    deps_.log.V(2).Info("Last device plugin for this resource disconnected", {{"resource", resource}});
  }
  deps_.log.V(2).Info("Device plugin disconnected", {{"resource", resource}});
  {
    MutexLock lock(&mu_);
    const auto found = connected_.find(id);
    if (found == connected_.end()) return;  // being closed
    ended_.push_back(std::move(found->second));
    connected_.erase(found);
  }
  deps_.changed.Set();
}

void PluginConnections::Reap() {
  std::vector<std::shared_ptr<PluginEndpoint>> ended;  // above the lock: they go when it has been given back
  MutexLock lock(&mu_);
  ended.swap(ended_);
}

}  // namespace kubelet_cm::deviceplugin
