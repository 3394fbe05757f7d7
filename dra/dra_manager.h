// DraManager: prepares the ResourceClaims of pods through their drivers, and unprepares them; what it knows of them is
// in a state file, and the same after a restart.
//
//   ASSIGN_OR_RETURN(auto manager, DraManager::New(dependencies, options, node_start));
//   RETURN_IF_ERROR(manager->PrepareResources(pod));      // before the pod's sandbox is made
//   ASSIGN_OR_RETURN(auto resources, manager->GetResources(pod, container));
//   RETURN_IF_ERROR(manager->UnprepareResources(pod));    // after its last container has ended
//
// It only wires: deciding is in claim/, talking to drivers in plugin/, and between them stand the rooms of this folder.
// Thread-safe. Listings never wait for a call or a write.
#ifndef KUBELET_CM_DRA_DRA_MANAGER_H_
#define KUBELET_CM_DRA_DRA_MANAGER_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "checkpointmanager/checkpoint_manager.h"
#include "checkpointmanager/checkpoint_recovery.h"
#include "common/cdi/cdi_annotation.h"
#include "common/filesystem/file_system.h"
#include "common/log/logger.h"
#include "common/metrics/registry.h"
#include "common/node/active_pods.h"
#include "common/node/node_start.h"
#include "common/node/pod.h"
#include "common/personality/personality.h"
#include "common/random/random.h"
#include "common/threads/threads.h"
#include "dra/claim/claim_resources.h"
#include "dra/claim/claim_status.h"
#include "dra/claim_reconciler.h"
#include "dra/claim_source.h"
#include "dra/device_trust.h"
#include "dra/dra_checkpoint.h"
#include "dra/dra_metrics.h"
#include "dra/dra_parts.h"
#include "dra/dra_rules.h"
#include "dra/dra_state.h"
#include "dra/plugin/driver_directory.h"

namespace kubelet_cm::dra {

// All of it outlives the manager.
struct DraManagerDependencies {
  FileSystem& files;
  Random& random;
  Threads& threads;
  Logger& log;
  MetricsRegistry& metrics;
  const ActivePods& active_pods;
  const DriverDirectory& drivers;
  ClaimSource& claims;
};

struct DraManagerOptions {
  std::string folder = {};  // of the state file
  const Personality* kubelet = &LatestPersonality();
  RecoverPolicy recover = RecoverPolicy::kQuarantine;
  absl::Duration reconcile_interval = absl::Seconds(60);
  // Whether what the state file shows to be prepared is not prepared again after a restart. Nothing: as the kubelet
  // does it.
  std::optional<bool> trust_devices = {};
  // Feature gates.
  bool extended_resources = true;         // DRAExtendedResource, where the kubelet has it
  bool optional_node_operations = false;  // DRAOptionalNodeOperations
  bool pod_group_claims = false;          // DRAWorkloadResourceClaims
  bool health_messages = true;            // ResourceHealthStatusMessage
};

// What a container gets for its claims.
struct ClaimRunOptions {
  std::vector<std::string> cdi_device_ids = {};
  std::vector<CdiAnnotation> annotations = {};  // for emulated kubelets until 1.30

  friend bool operator==(const ClaimRunOptions&, const ClaimRunOptions&) = default;
};

class DraManager {
 public:
  // How a device is at the moment; does not wait.
  using HealthReader = std::function<DeviceCondition(const DeviceName&)>;

  // Reads the state file, whatever kubelet wrote it, and restores what it says: all of it or nothing. Errors: a file
  // system that fails, and a bad state file where the start is to fail.
  static absl::StatusOr<std::unique_ptr<DraManager>> New(const DraManagerDependencies& dependencies,
                                                         const DraManagerOptions& options, const NodeStart& node_start);
  // As a kill does: nothing more is written. Nobody calls any more. Waits for the calls of the reconciler, which end
  // soon when whoever owns the drivers' clients has disconnected them.
  ~DraManager();
  DraManager(const DraManager&) = delete;
  DraManager& operator=(const DraManager&) = delete;

  // --- Pods. Blocking: they wait for drivers and for writes. Can be called again, and at any time.

  // `pod` is active.
  absl::Status PrepareResources(const Pod& pod);
  absl::Status UnprepareResources(const Pod& pod);
  // What the reconciler does by itself after each interval.
  void Reconcile() { reconciler_.RunOnce(); }
  // Removes a claim whose unprepare has failed: `who` says that its drivers need not be told. Durable. Waits for a
  // driver that is being called about it.
  absl::StatusOr<ForgottenClaim> Forget(const ClaimId& claim, std::string_view who);

  // --- Answers that never wait.

  // While true, the pod must not be forgotten.
  bool PodMightNeedToUnprepare(const std::string& pod_uid) const;
  // The container is one of the pod's, whose claims are prepared.
  absl::StatusOr<ClaimRunOptions> GetResources(const Pod& pod, const Container& container) const;
  absl::StatusOr<std::vector<ContainerClaimInfo>> ContainerClaimInfos(const Pod& pod, const Container& container) const;
  // For the container's status.
  std::vector<ClaimStatus> ClaimStatuses(const Pod& pod, const Container& container, const HealthReader& health) const;
  // Pods that reference a claim with one of these devices; sorted.
  std::vector<std::string> PodsUsing(absl::Span<const DeviceName> devices) const;
  // Claims whose unprepare failed, until it has succeeded.
  std::vector<StuckClaim> StuckClaims() const;
  RecoveryOutcome restore_outcome() const { return outcome_; }

  // What the manager knows, for checks of its invariants.
  DraState& state() { return state_; }
  CheckpointWriterCounts writes() const { return checkpoint_.counts(); }

 private:
  // What was on the node when the manager started.
  struct Found {
    std::unique_ptr<CheckpointManager> files;
    DraRestore restored;
    std::unique_ptr<DeviceTrust> trust;
    bool trusted = false;
    bool rebooted = false;
  };
  DraManager(const DraManagerDependencies& dependencies, const DraManagerOptions& options, Found found);

  absl::Status WriteNewest();
  void CountOperation(const std::string& name, const absl::Status& outcome, absl::Duration took);
  void VouchWhenDue();
  void ShowClaimsInUse();

  const DraManagerDependencies deps_;
  const DraRules rules_;
  const RecoveryOutcome outcome_;
  DraMetrics metrics_;
  // Each uses those above it.
  const std::unique_ptr<CheckpointManager> files_;
  const std::unique_ptr<DeviceTrust> trust_;
  DraState state_;
  DraCheckpoint checkpoint_;
  const DraParts parts_;
  ClaimReconciler reconciler_;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_DRA_MANAGER_H_
