#include "testing/scenarios/memory_life.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/features/feature_gates.h"
#include "common/features/known_gates.h"
#include "common/status/status_macros.h"
#include "deviceplugin/registration/api_versions.h"
#include "kubelet_cm/podresources/pod_resources_rules.h"

namespace kubelet_cm::scenarios {
namespace {

using deviceplugin::DeviceManager;
using deviceplugin::PluginApi;
using dra::DraClient;
using dra::DraManager;

constexpr char kRoot[] = "/var/lib/kubelet";
constexpr char kPluginFolder[] = "/var/lib/kubelet/device-plugins";
constexpr char kRegistrationSocket[] = "/var/lib/kubelet/device-plugins/kubelet.sock";
constexpr char kPodResourcesSocket[] = "/var/lib/kubelet/pod-resources/kubelet.sock";
constexpr char kPodFolder[] = "/var/lib/kubelet/kubelet_cm/pods";

std::vector<PluginApi> OfferOf(const Personality& kubelet) {
  std::vector<PluginApi> offered;
  for (const std::string_view version : kubelet.device_plugin_versions) {
    if (const auto api = deviceplugin::ParseApiVersion(version)) offered.push_back(*api);
  }
  return offered;
}

// A connection to a driver whose calls have edges.
class EdgeClient : public DraClient {
 public:
  EdgeClient(CallEdges& edges, std::string driver, std::shared_ptr<DraClient> inner)
      : edges_(edges), driver_(std::move(driver)), inner_(std::move(inner)) {}

  absl::StatusOr<dra::ClaimAnswers> Prepare(Claims claims, absl::Duration timeout) override {
    return edges_.Around(absl::StrCat(driver_, "/NodePrepareResources"),
                         [&] { return inner_->Prepare(claims, timeout); });
  }
  absl::StatusOr<dra::ClaimAnswers> Unprepare(Claims claims, absl::Duration timeout) override {
    return edges_.Around(absl::StrCat(driver_, "/NodeUnprepareResources"),
                         [&] { return inner_->Unprepare(claims, timeout); });
  }
  absl::StatusOr<bool> WaitForConnectionChange(bool known) override { return inner_->WaitForConnectionChange(known); }
  void Disconnect() override { inner_->Disconnect(); }

 private:
  CallEdges& edges_;
  const std::string driver_;
  const std::shared_ptr<DraClient> inner_;
};

}  // namespace

class MemoryLife::EdgeDrivers : public dra::DriverDirectory {
 public:
  EdgeDrivers(const dra::DriverDirectory& drivers, CallEdges& edges) : drivers_(drivers), edges_(edges) {}

  absl::StatusOr<std::shared_ptr<DraClient>> Find(std::string_view driver_name) const override {
    ASSIGN_OR_RETURN(std::shared_ptr<DraClient> found, drivers_.Find(driver_name));
    return std::make_shared<EdgeClient>(edges_, std::string(driver_name), std::move(found));
  }

 private:
  const dra::DriverDirectory& drivers_;
  CallEdges& edges_;
};

MemoryLife::MemoryLife(const World& world, const Options& options)
    : world_(world),
      options_(options),
      crashing_(world.disk, world.crash),
      failing_(crashing_, world.faults),
      files_(failing_, death_),
      edge_files_(crashing_, death_),
      edges_(edge_files_),
      pod_updates_(world.threads),
      pods_(world.threads, {PodSource::kApi}),
      events_(world.threads) {}

MemoryLife::~MemoryLife() {
  Cut();
  events_.Stop();
  if (terminations_ != nullptr) terminations_->Stop();
}

absl::StatusOr<std::unique_ptr<MemoryLife>> MemoryLife::Start(const World& world, const Options& options) {
  std::unique_ptr<MemoryLife> life(new MemoryLife(world, options));
  RETURN_IF_ERROR(life->files_.MakeFolders(kPluginFolder, 0750));
  RETURN_IF_ERROR(life->RestorePods());
  RETURN_IF_ERROR(life->StartManagers());
  life->StartAdmission();
  return life;
}

void MemoryLife::Cut() {
  if (death_.stopped()) return;
  death_.Stop();
  if (devices_ != nullptr) devices_->plugins().DisconnectAll();
}

absl::Status MemoryLife::RestorePods() {
  ASSIGN_OR_RETURN(store_,
                   PodStore::New(files_, world_.random,
                                 {.folder = kPodFolder, .boot_id = options_.boot_id, .recover = options_.recover}));
  history_.emplace(
      PodHistory::Dependencies{.files = files_,
                               .threads = world_.threads,
                               .random = world_.random,
                               .log = world_.log,
                               .pods = pods_,
                               .store = *store_},
      PodHistory::Options{.root = kRoot,
                          .pods_folder = kPodFolder,
                          .sockets = {.registration = kRegistrationSocket, .pod_resources = kPodResourcesSocket},
                          .boot_id = options_.boot_id,
                          .now = world_.threads.clock().WallNow()});
  ASSIGN_OR_RETURN(node_start_, history_->Restore());
  return absl::OkStatus();
}

absl::Status MemoryLife::StartManagers() {
  if (!options_.kubelet->dra_offer.none()) {
    drivers_ = std::make_unique<EdgeDrivers>(world_.drivers, edges_);
    ASSIGN_OR_RETURN(
        claims_,
        DraManager::New({.files = files_,
                         .random = world_.random,
                         .threads = world_.threads,
                         .log = world_.log,
                         .metrics = metrics_,
                         .active_pods = pods_,
                         .drivers = *drivers_,
                         .claims = world_.claims},
                        {.folder = kRoot, .kubelet = options_.kubelet, .recover = options_.recover}, node_start_));
  }
  const auto connect = [this](const std::string& socket, PluginApi) { return world_.plugins.Connect(socket, edges_); };
  ASSIGN_OR_RETURN(devices_, DeviceManager::New({.files = files_,
                                                 .random = world_.random,
                                                 .threads = world_.threads,
                                                 .log = world_.log,
                                                 .metrics = metrics_,
                                                 .active_pods = pods_,
                                                 .pod_updates = pod_updates_,
                                                 .connect = connect,
                                                 .events = &events_},
                                                {.folder = kPluginFolder,
                                                 .kubelet = options_.kubelet,
                                                 .recover = options_.recover,
                                                 .numa_nodes = options_.admission.numa_nodes},
                                                node_start_));
  desk_.emplace(deviceplugin::RegistrationDeps{.log = world_.log, .metrics = metrics_, .handler = devices_->plugins()},
                deviceplugin::RegistrationDeskOptions{.folder = kPluginFolder, .offered = OfferOf(*options_.kubelet)});
  RETURN_IF_ERROR(history_->Adopt(*devices_, claims_.get()));
  if (options_.knows_all_pods) pods_.SetReady(PodSource::kApi);
  statuses_.emplace(pod_updates_, pods_, *devices_);
  return absl::OkStatus();
}

void MemoryLife::StartAdmission() {
  admission_.emplace(
      PodAdmission::Dependencies{
          .devices = *devices_, .clock = world_.threads.clock(), .log = world_.log, .metrics = metrics_},
      options_.admission);
  manager_.emplace(ContainerManager::Dependencies{.pods = pods_,
                                                  .store = *store_,
                                                  .admission = *admission_,
                                                  .devices = *devices_,
                                                  .claims = claims_.get(),
                                                  .clock = world_.threads.clock(),
                                                  .log = world_.log,
                                                  .events = events_});
  terminations_ = std::make_unique<TerminationLoop>(world_.threads, *manager_);
  devices_->CollectLeftovers();
  pod_resources_feed_.emplace(pods_, *devices_, claims_.get());
  pod_resources_metrics_.emplace(metrics_);
  lister_.emplace(
      podresources::PodResourcesLister::Dependencies{
          .source = *pod_resources_feed_, .metrics = *pod_resources_metrics_, .log = world_.log},
      podresources::RulesOf(*options_.kubelet, FeatureGates(KnownGates())));
}

void MemoryLife::KnowAllPods() {
  pods_.SetReady(PodSource::kApi);
  devices_->CollectLeftovers();
}

absl::Status MemoryLife::Register(const MemoryPlugins::Introduction& plugin) {
  const std::vector<PluginApi> offered = OfferOf(*options_.kubelet);
  std::string version = plugin.api;
  if (version.empty() && !offered.empty()) version = std::string(deviceplugin::ApiVersion(offered.front()));
  const auto api = deviceplugin::ParseApiVersion(version);
  return edges_.Around(absl::StrCat(plugin.resource, "/Register"), [&] {
    return desk_->Register({.wire = deviceplugin::WireOf(api.value_or(PluginApi::kV1Beta1)),
                            .version = version,
                            .endpoint = plugin.endpoint,
                            .resource_name = plugin.resource});
  });
}

}  // namespace kubelet_cm::scenarios
