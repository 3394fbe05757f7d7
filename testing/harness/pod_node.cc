#include "testing/harness/pod_node.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"
#include "deviceplugin/endpoint/fake_plugin_client.h"
#include "kubelet_cm/life/boot_record.h"
#include "kubelet_cm/pods/pod_restore.h"
#include "testing/harness/dra_node.h"

namespace kubelet_cm::harness {

using deviceplugin::DeviceManager;
using deviceplugin::FakePluginClient;
using deviceplugin::PluginApi;
using deviceplugin::PluginClient;
using dra::DraManager;
using fakes::ScriptedPlugin;

namespace {

constexpr char kRoot[] = "/var/lib/kubelet";

}  // namespace

PodNode::PodNode() = default;

PodNode::~PodNode() { Kill(); }

PodNode::Life::Life(PodNode& node, const Options&)
    : planned(node.disk, node.faults),
      files(planned, death),
      pod_updates(node.threads),
      pods(node.threads, {PodSource::kApi}),
      events(node.threads) {}

absl::Status PodNode::Start(const Options& options) {
  CHECK(life_ == nullptr) << "the node is running";
  options_ = options;
  drivers.Reconnect();
  auto life = std::make_unique<Life>(*this, options);
  RETURN_IF_ERROR(Build(*life, options));
  life_ = std::move(life);
  return absl::OkStatus();
}

absl::Status PodNode::MaybeRestart() {
  if (!twin_.RestartsHere()) return absl::OkStatus();
  Kill();
  RETURN_IF_ERROR(Start(Options(options_)));
  std::vector<std::string> resources;
  {
    MutexLock lock(&mu_);
    for (const auto& [resource, plugin] : plugins_) resources.push_back(resource);
  }
  for (const std::string& resource : resources) RETURN_IF_ERROR(RegisterAgain(resource));
  return absl::OkStatus();
}

absl::Status PodNode::Build(Life& life, const Options& options) {
  ASSIGN_OR_RETURN(life.store, PodStore::New(life.files, random,
                                             {.folder = absl::StrCat(kRoot, "/kubelet_cm/pods"), .boot_id = boot_id_}));
  ASSIGN_OR_RETURN(const PodStore::Loaded loaded, life.store->Load(threads));
  ASSIGN_OR_RETURN(const bool rebooted, life::RebootedSince(life.files, kRoot, boot_id_));
  RestoredPods restored = RestorePods(loaded.records, {.boot_id = boot_id_, .rebooted = rebooted});
  for (PodRecord& record : restored.records) {
    const PodTable::Turn turn(life.pods, record.pod->uid);
    life.pods.Put(turn, std::move(record));
  }
  life.pods.SetReady(PodSource::kApi);
  const auto connect = [this](const std::string& socket, PluginApi) -> absl::StatusOr<std::unique_ptr<PluginClient>> {
    MutexLock lock(&mu_);
    return std::make_unique<FakePluginClient>(threads, *plugins_.at(socket));
  };
  ASSIGN_OR_RETURN(life.devices, DeviceManager::New({.files = life.files,
                                                     .random = random,
                                                     .threads = threads,
                                                     .log = log,
                                                     .metrics = life.metrics,
                                                     .active_pods = life.pods,
                                                     .pod_updates = life.pod_updates,
                                                     .connect = connect},
                                                    {.folder = absl::StrCat(kRoot, "/device-plugins"),
                                                     .numa_nodes = options.admission.numa_nodes},
                                                    restored.node_start));
  if (options.dra) {
    ASSIGN_OR_RETURN(life.claims, DraManager::New({.files = life.files,
                                                   .random = random,
                                                   .threads = threads,
                                                   .log = log,
                                                   .metrics = life.metrics,
                                                   .active_pods = life.pods,
                                                   .drivers = drivers,
                                                   .claims = claims},
                                                  {.folder = kRoot}, restored.node_start));
  }
  life.admission.emplace(
      PodAdmission::Dependencies{.devices = *life.devices, .clock = clock, .log = log, .metrics = life.metrics},
      options.admission);
  life.manager.emplace(ContainerManager::Dependencies{.pods = life.pods,
                                                      .store = *life.store,
                                                      .admission = *life.admission,
                                                      .devices = *life.devices,
                                                      .claims = life.claims.get(),
                                                      .clock = clock,
                                                      .log = log,
                                                      .events = life.events});
  return life::RecordBoot(life.files, random, kRoot, boot_id_);
}

void PodNode::Kill() {
  if (life_ == nullptr) return;
  life_->death.Stop();
  disk.KillProcess();
  drivers.CutOff();
  life_.reset();
}

absl::Status PodNode::RunPlugin(const std::string& resource, ScriptedPlugin::Options options) {
  {
    MutexLock lock(&mu_);
    plugins_[resource] = std::make_unique<ScriptedPlugin>(threads, std::move(options));
  }
  return RegisterAgain(resource);
}

absl::Status PodNode::RegisterAgain(const std::string& resource) {
  const size_t lists = log.Count("Processed device updates for resource");
  RETURN_IF_ERROR(devices().plugins().Register(
      {.resource_name = resource, .endpoint_name = "plugin.sock", .socket_path = resource}));
  if (log.AwaitLine("Processed device updates for resource", lists + 1)) return absl::OkStatus();
  return absl::DeadlineExceededError(absl::StrCat("the devices of ", resource, " were not listed"));
}

void PodNode::AddClaim(const std::string& name, const std::vector<std::string>& driver_names,
                       const std::string& pod_uid) {
  claims.Set(ClaimOf(name, driver_names));
  claims.Reserve("default", name, pod_uid);
}

std::vector<std::string> PodNode::Devices(const std::string& pod_uid, const std::string& resource) {
  std::vector<std::string> ids;
  const deviceplugin::HeldDevices held = devices().ContainerDevices(pod_uid, "main");
  const auto found = held.find(resource);
  if (found == held.end()) return ids;
  for (const auto& [id, nodes] : found->second) ids.push_back(id);
  return ids;
}

std::vector<std::string> PodNode::EventKinds() {
  std::vector<std::string> kinds;
  for (const auto& logged : life_->events.Read(0, clock.MonotonicNow()).events) {
    kinds.emplace_back(logged->event.kind);
  }
  return kinds;
}

}  // namespace kubelet_cm::harness
