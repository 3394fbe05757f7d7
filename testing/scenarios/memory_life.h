// MemoryLife: one life of a kubelet on a MemoryNode, from its start to the kill: both managers, the pods and their
// store, wired and started in the daemon's order.
//
// Once it is cut nothing that its threads still do reaches the disk, a plugin or a driver.
#ifndef KUBELET_CM_TESTING_SCENARIOS_MEMORY_LIFE_H_
#define KUBELET_CM_TESTING_SCENARIOS_MEMORY_LIFE_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/filesystem/file_system.h"
#include "common/log/logger.h"
#include "common/metrics/registry.h"
#include "common/node/node_start.h"
#include "common/personality/personality.h"
#include "common/podupdates/pod_updates.h"
#include "common/random/random.h"
#include "common/threads/threads.h"
#include "deviceplugin/device_manager.h"
#include "deviceplugin/registration/registration_desk.h"
#include "dra/claim_source.h"
#include "dra/dra_manager.h"
#include "dra/plugin/driver_directory.h"
#include "kubelet_cm/admission/container_manager.h"
#include "kubelet_cm/admission/pod_admission.h"
#include "kubelet_cm/daemon/pod_history.h"
#include "kubelet_cm/daemon/pod_resources_feed.h"
#include "kubelet_cm/daemon/termination_loop.h"
#include "kubelet_cm/events/event_log.h"
#include "kubelet_cm/podresources/pod_resources_lister.h"
#include "kubelet_cm/podresources/pod_resources_metrics.h"
#include "kubelet_cm/pods/pod_store.h"
#include "kubelet_cm/pods/pod_table.h"
#include "testing/scenarios/call_edges.h"
#include "testing/scenarios/memory_plugins.h"
#include "testing/scenarios/pod_statuses.h"

namespace kubelet_cm::scenarios {

class MemoryLife {
 public:
  // What is there before and after; outlives the life.
  struct World {
    Threads& threads;
    Random& random;
    Logger& log;
    FileSystem& disk;
    FaultPlan& crash;   // of the whole scenario: what kills at an operation
    FaultPlan& faults;  // of the disk
    MemoryPlugins& plugins;
    const dra::DriverDirectory& drivers;
    dra::ClaimSource& claims;
  };
  struct Options {
    const Personality* kubelet = &LatestPersonality();
    std::string boot_id = {};
    RecoverPolicy recover = RecoverPolicy::kQuarantine;
    PodAdmission::Options admission = {};
    bool knows_all_pods = true;  // from the start on; otherwise when KnowAllPods says so
  };

  // The error is why the kubelet refuses to start.
  static absl::StatusOr<std::unique_ptr<MemoryLife>> Start(const World& world, const Options& options);
  ~MemoryLife();
  MemoryLife(const MemoryLife&) = delete;
  MemoryLife& operator=(const MemoryLife&) = delete;

  // The moment of the kill. Calls in flight end soon.
  void Cut();
  // Whoever tells of pods has told of all.
  void KnowAllPods();
  // What a plugin does that registers at the kubelet's socket.
  absl::Status Register(const MemoryPlugins::Introduction& plugin);

  ContainerManager& manager() { return *manager_; }
  PodAdmission& admission() { return *admission_; }
  PodTable& pods() { return pods_; }
  PodStatuses& statuses() { return *statuses_; }
  deviceplugin::DeviceManager& devices() { return *devices_; }
  podresources::PodResourcesLister& lister() { return *lister_; }
  dra::DraManager* claims() { return claims_.get(); }  // null: this kubelet has no claims
  const MetricsRegistry& metrics() const { return metrics_; }

 private:
  class EdgeDrivers;

  MemoryLife(const World& world, const Options& options);
  absl::Status RestorePods();
  absl::Status StartManagers();
  void StartAdmission();

  const World world_;
  const Options options_;
  FaultPlan death_;
  FaultyFileSystem crashing_;
  FaultyFileSystem failing_;
  FaultyFileSystem files_;
  FaultyFileSystem edge_files_;  // faults of the disk do not count calls
  CallEdges edges_;
  MetricsRegistry metrics_;
  PodUpdates pod_updates_;
  PodTable pods_;
  EventLog events_;
  NodeStart node_start_;
  std::unique_ptr<PodStore> store_;
  std::optional<PodHistory> history_;
  std::unique_ptr<EdgeDrivers> drivers_;
  std::unique_ptr<dra::DraManager> claims_;
  std::unique_ptr<deviceplugin::DeviceManager> devices_;
  std::optional<deviceplugin::RegistrationDesk> desk_;
  std::optional<PodStatuses> statuses_;
  std::optional<PodAdmission> admission_;
  std::optional<ContainerManager> manager_;
  std::unique_ptr<TerminationLoop> terminations_;
  std::optional<PodResourcesFeed> pod_resources_feed_;
  std::optional<podresources::PodResourcesMetrics> pod_resources_metrics_;
  std::optional<podresources::PodResourcesLister> lister_;
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_MEMORY_LIFE_H_
