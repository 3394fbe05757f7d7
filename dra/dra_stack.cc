#include "dra/dra_stack.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "checkpointmanager/checkpoint_recovery.h"
#include "common/status/status_macros.h"
#include "dra/dra_rules.h"
#include "dra/plugin/connect_driver.h"
#include "dra/slices/grpc_model_client.h"

namespace kubelet_cm::dra {

absl::StatusOr<std::unique_ptr<DraStack>> DraStack::New(const Dependencies& dependencies, const Options& options,
                                                        const NodeStart& node_start) {
  const Personality& kubelet = *options.manager.kubelet;
  if (kubelet.dra_offer.none()) {
    return absl::UnimplementedError(absl::StrCat("the kubelet of ", std::string(kubelet.name), " has no DRA"));
  }
  std::unique_ptr<DraStack> stack(new DraStack(dependencies, kubelet));
  std::optional<HealthRestore> health;
  if (options.device_health && !kubelet.dra_offer.health_services.empty()) {
    // Before the manager, whose threads write in the folder that is swept here.
    ASSIGN_OR_RETURN(stack->health_files_,
                     CheckpointManager::New(dependencies.files, dependencies.random, options.manager.folder));
    health = RestoreHealth(
        {.manager = *stack->health_files_, .file_system = dependencies.files, .clock = dependencies.threads.clock()},
        dependencies.log);
  }
  ASSIGN_OR_RETURN(stack->manager_, DraManager::New({.files = dependencies.files,
                                                     .random = dependencies.random,
                                                     .threads = dependencies.threads,
                                                     .log = dependencies.log,
                                                     .metrics = dependencies.metrics,
                                                     .active_pods = dependencies.active_pods,
                                                     .drivers = *stack->registry_,
                                                     .claims = dependencies.claims},
                                                    options.manager, node_start));
  if (health.has_value()) stack->StartHealth(dependencies, kubelet, *std::move(health));
  if (dependencies.slices != nullptr && RulesOf(kubelet).publishes_models) {
    stack->publisher_ = std::make_unique<SlicePublisher>(SlicePublisher::Dependencies{.threads = dependencies.threads,
                                                                                      .log = dependencies.log,
                                                                                      .random = dependencies.random,
                                                                                      .slices = *dependencies.slices});
  }
  return stack;
}

DraStack::DraStack(const Dependencies& dependencies, const Personality& kubelet)
    : events_(dependencies.events),
      call_metrics_(dependencies.metrics, dependencies.threads.clock()),
      registry_(
          std::make_unique<DriverRegistry>(DriverRegistry::Dependencies{.threads = dependencies.threads,
                                                                        .log = dependencies.log,
                                                                        .random = dependencies.random,
                                                                        .kubelet = kubelet,
                                                                        .connect = ConnectOverSockets(&call_metrics_),
                                                                        .slices = dependencies.slices,
                                                                        .listener = this})),
      watcher_handler_(*registry_) {}

DraStack::~DraStack() { DisconnectDrivers(); }

void DraStack::DisconnectDrivers() {
  if (monitor_ != nullptr) monitor_->KeepWhatWasSaid();
  registry_->DisconnectAll();
}

void DraStack::StartHealth(const Dependencies& dependencies, const Personality& kubelet, HealthRestore restored) {
  monitor_ = std::make_unique<HealthMonitor>(
      HealthMonitor::Dependencies{
          .manager = *health_files_,
          .threads = dependencies.threads,
          .log = dependencies.log,
          .pod_updates = dependencies.pod_updates,
          .pods_using =
              [manager = manager_.get()](absl::Span<const DeviceName> devices) { return manager->PodsUsing(devices); }},
      HealthMonitor::Options{.format = HealthFormatOf(kubelet), .retry = HealthRetryOf(kubelet)}, std::move(restored));
  listener_.emplace(*monitor_);
}

std::vector<ClaimStatus> DraStack::ClaimStatuses(const Pod& pod, const Container& container) const {
  if (monitor_ == nullptr) return {};
  return manager_->ClaimStatuses(pod, container, [this](const DeviceName& device) { return monitor_->Read(device); });
}

void DraStack::Tell(std::string_view kind, const RegisteredDriver& driver) {
  if (events_ == nullptr) return;
  events_->Record(
      {.kind = kind, .subject = driver.driver_name, .details = {{"type", "DRAPlugin"}, {"endpoint", driver.endpoint}}});
}

void DraStack::OnRegistered(const RegisteredDriver& driver) {
  Tell(event_kind::kPluginConnected, driver);
  if (listener_.has_value()) listener_->OnRegistered(driver);
  if (publisher_ != nullptr && driver.connection != nullptr) {
    publisher_->AddInstance({.id = driver.id, .driver_name = driver.driver_name},
                            NewGrpcModelClient(driver.connection));
  }
}

void DraStack::OnDeregistered(const RegisteredDriver& driver) {
  Tell(event_kind::kPluginGone, driver);
  if (listener_.has_value()) listener_->OnDeregistered(driver);
  if (publisher_ != nullptr) publisher_->RemoveInstance(driver.id);
}

}  // namespace kubelet_cm::dra
