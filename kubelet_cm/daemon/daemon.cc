#include "kubelet_cm/daemon/daemon.h"

#include <utility>

#include "absl/memory/memory.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "common/threads/notification.h"
#include "common/version/version.h"
#include "kubelet_cm/config/option_pages.h"
#include "kubelet_cm/daemon/status_page.h"
#include "kubelet_cm/http/health_server.h"
#include "kubelet_cm/life/live_sockets.h"
#include "kubelet_cm/pluginwatcher/grpc_registration_client.h"

namespace kubelet_cm {
namespace {

constexpr uint32_t kFolderPermissions = 0750;
// How long calls that plugins have not answered may go on once the daemon is to stop.
constexpr absl::Duration kGrace = absl::Seconds(1);

absl::btree_set<PodSource> SourcesOf(const config::DaemonOptions& options) {
  absl::btree_set<PodSource> sources = {PodSource::kApi};
  if (!options.pod_manifest_path.empty()) sources.insert(PodSource::kFolder);
  return sources;
}

std::string_view OutcomeName(RecoveryOutcome outcome) {
  switch (outcome) {
    case RecoveryOutcome::kFresh:
      return "fresh";
    case RecoveryOutcome::kRestored:
      return "restored";
    case RecoveryOutcome::kMigrated:
      return "migrated";
    case RecoveryOutcome::kCorrupt:
      return "corrupt, set aside";
  }
  return "";
}

}  // namespace

Daemon::Daemon(const Dependencies& dependencies, const config::DaemonOptions& options)
    : deps_(dependencies),
      options_(options),
      paths_(PathsOf(options)),
      started_(dependencies.threads.clock().WallNow()),
      pod_updates_(dependencies.threads),
      events_(dependencies.threads) {}

absl::StatusOr<std::unique_ptr<Daemon>> Daemon::New(const Dependencies& dependencies,
                                                    const config::DaemonOptions& options) {
  auto daemon = absl::WrapUnique(new Daemon(dependencies, options));
  RETURN_IF_ERROR(daemon->TakeFolder());
  const absl::Status started = daemon->Start();
  // That is for a folder which somebody else has.
  if (absl::IsUnavailable(started)) return absl::FailedPreconditionError(started.message());
  RETURN_IF_ERROR(started);
  return daemon;
}

// --- The start

absl::Status Daemon::TakeFolder() {
  ASSIGN_OR_RETURN(lock_, life::StateLock::Take(deps_.files, paths_.root, deps_.process_id));
  RETURN_IF_ERROR(
      life::CheckNobodyListens({paths_.registration_socket, paths_.pod_resources_socket, paths_.control_socket}));
  for (const std::string& folder : {paths_.device_plugins, paths_.plugins_registry, paths_.plugins}) {
    RETURN_IF_ERROR(deps_.files.MakeFolders(folder, kFolderPermissions));
  }
  ASSIGN_OR_RETURN(machine_, ReadMachineFacts(deps_.files, options_));
  return CheckNumaNodeCount(options_.topology.policy, machine_.numa_nodes.size(),
                            options_.topology.max_allowable_numa_nodes);
}

absl::Status Daemon::Start() {
  RETURN_IF_ERROR(BindPages());
  RETURN_IF_ERROR(RestoreState());
  RETURN_IF_ERROR(StartAdmission());
  RETURN_IF_ERROR(OpenSockets());
  RETURN_IF_ERROR(FollowPodFolder());
  if (http_ != nullptr) http_->Serve();
  return absl::OkStatus();
}

absl::Status Daemon::RestorePodsOfEarlierRuns() {
  ASSIGN_OR_RETURN(store_,
                   PodStore::New(deps_.files, deps_.random,
                                 {.folder = paths_.pods, .boot_id = machine_.boot_id, .recover = options_.recover}));
  history_.emplace(PodHistory::Dependencies{.files = deps_.files,
                                            .threads = deps_.threads,
                                            .random = deps_.random,
                                            .log = deps_.log,
                                            .pods = *pods_,
                                            .store = *store_},
                   PodHistory::Options{.root = paths_.root,
                                       .pods_folder = paths_.pods,
                                       .sockets = {.registration = paths_.registration_socket,
                                                   .pod_resources = paths_.pod_resources_socket},
                                       .boot_id = machine_.boot_id,
                                       .now = started_});
  ASSIGN_OR_RETURN(node_start_, history_->Restore());
  return absl::OkStatus();
}

absl::Status Daemon::RestoreState() {
  pods_ = std::make_unique<PodTable>(deps_.threads, SourcesOf(options_));
  absl::Status others;
  // To read thousands of pods takes as long as to read the devices that they hold.
  std::unique_ptr<Thread> beside = deps_.threads.Start("restore", [&] {
    others = RestorePodsOfEarlierRuns();
    if (others.ok()) others = StartClaims();
  });
  const auto find_node_start = [&]() -> absl::StatusOr<NodeStart> {
    beside.reset();  // when it is through
    RETURN_IF_ERROR(others);
    return node_start_;
  };
  // The socket at which plugins register opens in here: everything that a plugin can set going has to be there.
  RETURN_IF_ERROR(StartDevices(find_node_start));
  Restored("devices", devices_->manager().restore_outcome());
  if (claims_ != nullptr) Restored("claims", claims_->manager().restore_outcome());
  RETURN_IF_ERROR(history_->Adopt(devices_->manager(), claims_ == nullptr ? nullptr : &claims_->manager()));
  restored_.insert(restored_.end(), history_->found().begin(), history_->found().end());
  pods_->SetReady(PodSource::kApi);
  return absl::OkStatus();
}

absl::Status Daemon::StartDevices(deviceplugin::DeviceManager::FindNodeStart find_node_start) {
  ASSIGN_OR_RETURN(devices_, deviceplugin::DeviceStack::NewBeside(
                                 {.files = deps_.files,
                                  .random = deps_.random,
                                  .threads = deps_.threads,
                                  .log = deps_.log,
                                  .metrics = metrics_,
                                  .active_pods = *pods_,
                                  .pod_updates = pod_updates_,
                                  .events = &events_},
                                 {.folder = paths_.device_plugins,
                                  .kubelet = options_.kubelet,
                                  .recover = options_.recover,
                                  .numa_nodes = machine_.numa_nodes,
                                  .cdi_devices = options_.features.Enabled(kDevicePluginCDIDevices),
                                  .timeouts = {.allocate = options_.allocate_timeout,
                                               .preferred_allocation = options_.preferred_allocation_timeout}},
                                 find_node_start));
  return absl::OkStatus();
}

absl::Status Daemon::StartClaims() {
  ASSIGN_OR_RETURN(claim_access_, ClaimAccess::New({.threads = deps_.threads,
                                                    .files = deps_.files,
                                                    .watches = deps_.watches,
                                                    .random = deps_.random,
                                                    .log = deps_.log},
                                                   options_));
  const bool wanted = options_.features.Enabled(kDynamicResourceAllocation) && !options_.kubelet->dra_offer.none();
  if (!wanted) return absl::OkStatus();
  const dra::DraStack::Options options{
      .manager = {.folder = paths_.root,
                  .kubelet = options_.kubelet,
                  .recover = options_.recover,
                  .reconcile_interval = options_.dra_reconcile_interval,
                  .extended_resources = options_.features.Enabled(kDRAExtendedResource),
                  .optional_node_operations = options_.features.Enabled(kDRAOptionalNodeOperations),
                  .pod_group_claims = options_.features.Enabled(kDRAWorkloadResourceClaims),
                  .health_messages = options_.features.Enabled(kResourceHealthStatusMessage)},
      .device_health = options_.features.Enabled(kResourceHealthStatus)};
  ASSIGN_OR_RETURN(claims_, dra::DraStack::New({.files = deps_.files,
                                                .random = deps_.random,
                                                .threads = deps_.threads,
                                                .log = deps_.log,
                                                .metrics = metrics_,
                                                .active_pods = *pods_,
                                                .pod_updates = pod_updates_,
                                                .claims = *claim_access_,
                                                .events = &events_,
                                                .slices = claim_access_->slices()},
                                               options, node_start_));
  return absl::OkStatus();
}

void Daemon::Restored(const std::string& what, RecoveryOutcome outcome) {
  restored_.push_back(absl::StrCat(what, ": ", std::string(OutcomeName(outcome))));
  events_.Record({.kind = event_kind::kStateRestored, .subject = what, .message = std::string(OutcomeName(outcome))});
}

absl::Status Daemon::StartAdmission() {
  PodAdmission::Options admission{
      .policy = options_.topology.policy, .scope = options_.topology.scope, .numa_nodes = machine_.numa_nodes};
  if (options_.topology.prefer_closest_numa_nodes) admission.prefer_closest = machine_.numa_distances;
  admission_.emplace(
      PodAdmission::Dependencies{
          .devices = devices_->manager(), .clock = deps_.threads.clock(), .log = deps_.log, .metrics = metrics_},
      std::move(admission));
  manager_.emplace(ContainerManager::Dependencies{.pods = *pods_,
                                                  .store = *store_,
                                                  .admission = *admission_,
                                                  .devices = devices_->manager(),
                                                  .claims = claims_ == nullptr ? nullptr : &claims_->manager(),
                                                  .clock = deps_.threads.clock(),
                                                  .log = deps_.log,
                                                  .events = events_});
  terminations_ = std::make_unique<TerminationLoop>(deps_.threads, *manager_);
  // What pods held that were removed just before a kill is free from the first look on.
  devices_->manager().CollectLeftovers();
  std::vector<StateWriteEvents::File> files = {
      {.name = "devices", .counts = [this] { return devices_->manager().writes(); }}};
  if (claims_ != nullptr) {
    files.push_back({.name = "claims", .counts = [this] { return claims_->manager().writes(); }});
  }
  writes_ = std::make_unique<StateWriteEvents>(deps_.threads, events_, std::move(files));
  return absl::OkStatus();
}

absl::Status Daemon::OpenSockets() {
  dra::DraManager* const claims = claims_ == nullptr ? nullptr : &claims_->manager();
  pod_resources_feed_ = std::make_unique<PodResourcesFeed>(*pods_, devices_->manager(), claims);
  ASSIGN_OR_RETURN(pod_resources_,
                   podresources::PodResourcesServer::New(
                       {.files = deps_.files,
                        .clock = deps_.threads.clock(),
                        .log = deps_.log,
                        .metrics = metrics_,
                        .source = *pod_resources_feed_},
                       {.socket_path = paths_.pod_resources_socket,
                        .accept_with = &deps_.threads,
                        .kubelet = options_.kubelet,
                        .features = options_.features,
                        .calls = {.per_second = options_.podresources_qps, .burst = options_.podresources_burst}}));
  RETURN_IF_ERROR(WatchPlugins());
  viewer_.emplace(NodeViewer::Dependencies{
      .pods = *pods_, .devices = devices_->manager(), .claims = claims_.get(), .watcher = watcher_.get()});
  ASSIGN_OR_RETURN(control_, ControlServer::New(deps_.files, paths_.control_socket,
                                                {.manager = *manager_,
                                                 .pods = *pods_,
                                                 .viewer = *viewer_,
                                                 .claims = claims,
                                                 .events = events_,
                                                 .threads = deps_.threads,
                                                 .log = deps_.log},
                                                DescribeVersion(), options_.node_name));
  return absl::OkStatus();
}

absl::Status Daemon::WatchPlugins() {
  plugin_events_.emplace(events_);
  device_handler_.emplace(devices_->watcher_handler());
  pluginwatcher::PluginHandlers handlers = {{std::string(deviceplugin::WatcherHandler::kType), &*device_handler_}};
  if (claims_ != nullptr) {
    dra_handler_.emplace(claims_->watcher_handler());
    handlers[std::string(dra::WatcherHandler::kType)] = &*dra_handler_;
  }
  ASSIGN_OR_RETURN(
      watcher_,
      pluginwatcher::PluginWatcher::New(
          {.files = deps_.files,
           .watches = deps_.watches,
           .threads = deps_.threads,
           .log = deps_.log,
           .metrics = metrics_,
           .handlers = std::move(handlers),
           .make_client =
               [](const std::string& path) { return std::make_unique<pluginwatcher::GrpcRegistrationClient>(path); },
           .listener = &*plugin_events_},
          {.folder = paths_.plugins_registry,
           .confine_endpoints_to = options_.restrict_plugin_endpoints ? paths_.root : ""}));
  return absl::OkStatus();
}

absl::Status Daemon::FollowPodFolder() {
  if (options_.pod_manifest_path.empty()) return absl::OkStatus();
  static_pods_.emplace(*manager_, *pods_, deps_.log);
  ASSIGN_OR_RETURN(
      pod_folder_,
      PodFolder::New({.threads = deps_.threads, .files = deps_.files, .watches = deps_.watches, .log = deps_.log},
                     {.folder = options_.pod_manifest_path}, options_.node_name, *static_pods_));
  return absl::OkStatus();
}

absl::Status Daemon::BindPages() {
  if (options_.healthz_port == 0) return absl::OkStatus();
  http::HealthServerPages pages{
      .healthz = {{.name = "ping", .check = [] { return absl::OkStatus(); }},
                  {.name = "device-plugin", .check = [this] { return devices_->Health(); }},
                  {.name = "registration-socket", .check = [this] { return CheckSocket(paths_.registration_socket); }},
                  {.name = "pod-resources-socket",
                   .check = [this] { return CheckSocket(paths_.pod_resources_socket); }},
                  {.name = "control-socket", .check = [this] { return CheckSocket(paths_.control_socket); }}},
      .readyz = {{.name = "pod-sources", .check = [this] { return CheckSourcesReady(); }},
                 {.name = "admission", .check = [this] { return CheckAdmitting(); }}},
      .metrics = [this] { return metrics_.Text(); },
      .configz = [this] { return config::ConfigzJson(options_); },
      .statusz = [this] { return StatusPage(); },
      .flagz = [this] { return config::FlagzText(options_); }};
  ASSIGN_OR_RETURN(http_, http::NewHealthServer(deps_.threads, deps_.log, std::move(pages),
                                                {.address = options_.healthz_address, .port = options_.healthz_port}));
  return absl::OkStatus();
}

// --- What can be asked

absl::Status Daemon::CheckSocket(const std::string& path) const {
  if (path == paths_.pod_resources_socket && pod_resources_ == nullptr) return absl::OkStatus();
  ASSIGN_OR_RETURN(const bool answered, life::SomebodyListens(path));
  if (answered) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("nobody can connect to ", path, ": it was removed or replaced"));
}

absl::Status Daemon::CheckSourcesReady() const {
  if (pods_->SourcesReady()) return absl::OkStatus();
  return absl::UnavailableError("a source of pods has not told of all its pods yet");
}

absl::Status Daemon::CheckAdmitting() const {
  if (!manager_->draining()) return absl::OkStatus();
  return absl::UnavailableError("the node is being drained");
}

absl::Status Daemon::Health() const {
  RETURN_IF_ERROR(devices_->Health());
  for (const std::string& path : {paths_.registration_socket, paths_.pod_resources_socket, paths_.control_socket}) {
    RETURN_IF_ERROR(CheckSocket(path));
  }
  return absl::OkStatus();
}

::kubeletcm::v1::VersionResponse Daemon::DescribeVersion() const {
  ::kubeletcm::v1::VersionResponse version;
  version.set_version(kVersion.data(), kVersion.size());
  version.set_emulated_kubelet(options_.kubelet->name.data(), options_.kubelet->name.size());
  version.set_root_dir(paths_.root);
  version.set_node_name(options_.node_name);
  version.set_started_unix_nanos(absl::ToUnixNanos(started_));
  for (const std::string& outcome : restored_) version.add_restored(outcome);
  return version;
}

std::string Daemon::StatusPage() const {
  return RenderStatusPage(DescribeVersion(), viewer_->Picture(), deps_.threads.clock().WallNow());
}

// --- The end

// Nobody waits for a plugin or a driver any more.
void Daemon::LetPluginsGo() {
  if (devices_ != nullptr) devices_->manager().plugins().DisconnectAll();
  if (claims_ != nullptr) claims_->DisconnectDrivers();
  if (claim_access_ != nullptr) claim_access_->Stop();
}

Daemon::~Daemon() {
  events_.Stop();
  if (terminations_ != nullptr) terminations_->Stop();
  LetPluginsGo();
}

absl::Status Daemon::Shutdown() {
  manager_->Drain();
  events_.Stop();
  terminations_->Stop();
  watcher_->Stop();
  const absl::Status removed = deps_.files.Unlink(paths_.registration_socket);
  // What has been answered so far is safe before anybody is waited for.
  absl::Status stopped = devices_->manager().Flush();
  if (!absl::IsNotFound(removed)) stopped.Update(removed);
  Notification quiet(deps_.threads, "the end of the calls in flight");
  const std::unique_ptr<Thread> limit = deps_.threads.Start("stop limit", [this, &quiet] {
    if (!quiet.WaitFor(kGrace)) LetPluginsGo();
  });
  control_->Shutdown();
  if (pod_resources_ != nullptr) pod_resources_->Shutdown();
  if (http_ != nullptr) http_->Shutdown();
  pod_folder_.reset();
  terminations_.reset();
  stopped.Update(devices_->Shutdown());
  quiet.Notify();
  return stopped;
}

}  // namespace kubelet_cm
