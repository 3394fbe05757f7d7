// DeviceManager: the device plugin manager. Device plugins register with it and tell of their devices; pods get devices
// from it when they are admitted; what it gave is in a state file, and the same after a restart.
//
//   ASSIGN_OR_RETURN(auto manager, DeviceManager::New(dependencies, options, node_start));
//   ... open the registration server (registration/) with manager->plugins() ...
//   ASSIGN_OR_RETURN(auto allocation, manager->BeginAllocation(pod));      // see pod_allocation.h
//
// It only wires: deciding is in inventory/, allocation/ and topology/, talking to plugins in endpoint/, and between
// them stand the rooms of this folder. Thread-safe. Listings and hints never wait for a call or a write.
#ifndef KUBELET_CM_DEVICEPLUGIN_DEVICE_MANAGER_H_
#define KUBELET_CM_DEVICEPLUGIN_DEVICE_MANAGER_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "checkpointmanager/checkpoint_manager.h"
#include "checkpointmanager/checkpoint_recovery.h"
#include "common/filesystem/file_system.h"
#include "common/log/logger.h"
#include "common/metrics/registry.h"
#include "common/node/active_pods.h"
#include "common/node/node_events.h"
#include "common/node/node_start.h"
#include "common/node/pod.h"
#include "common/node/topology_hint.h"
#include "common/personality/personality.h"
#include "common/podupdates/pod_updates.h"
#include "common/random/random.h"
#include "common/threads/event.h"
#include "common/threads/threads.h"
#include "deviceplugin/allocation/device_status.h"
#include "deviceplugin/allocation/held_devices.h"
#include "deviceplugin/allocation/node_allocatable.h"
#include "deviceplugin/allocation/run_options.h"
#include "deviceplugin/device_checkpoint.h"
#include "deviceplugin/device_hint_provider.h"
#include "deviceplugin/device_housekeeper.h"
#include "deviceplugin/device_rules.h"
#include "deviceplugin/device_state.h"
#include "deviceplugin/leftover_collector.h"
#include "deviceplugin/plugin_connections.h"
#include "deviceplugin/pod_allocation.h"

namespace kubelet_cm::deviceplugin {

// All of it outlives the manager.
struct DeviceManagerDependencies {
  FileSystem& files;
  Random& random;
  Threads& threads;
  Logger& log;
  MetricsRegistry& metrics;
  const ActivePods& active_pods;
  PodUpdates& pod_updates;  // told of pods with a device whose health is another
  ConnectToPlugin connect;
  NodeEvents* events = nullptr;  // told of plugins and devices; null: nobody watches
};

struct DeviceManagerOptions {
  std::string folder = {};  // of the state file and of the plugins' sockets; absolute
  const Personality* kubelet = &LatestPersonality();
  RecoverPolicy recover = RecoverPolicy::kQuarantine;
  std::vector<int> numa_nodes = {0};  // the machine's, ascending
  bool cdi_devices = true;            // containers get the CDI names that plugins answer with
  PluginConnections::Timeouts timeouts = {};
  DeviceLimits limits = {};
};

class DeviceManager {
 public:
  // Reads the state file, whatever kubelet wrote it, and restores what it says: all of it or nothing. Errors: no
  // absolute folder (upstream's text), a file system that fails, and under RecoverPolicy::kStrict a bad state file.
  static absl::StatusOr<std::unique_ptr<DeviceManager>> New(const DeviceManagerDependencies& dependencies,
                                                            const DeviceManagerOptions& options, NodeStart node_start);
  // The same for who finds out what is on the node while the state file is read: asked once, when that is restored, it
  // may wait.
  using FindNodeStart = absl::FunctionRef<absl::StatusOr<NodeStart>()>;
  static absl::StatusOr<std::unique_ptr<DeviceManager>> NewBeside(const DeviceManagerDependencies& dependencies,
                                                                  const DeviceManagerOptions& options,
                                                                  FindNodeStart find_node_start);
  // As a kill does: plugins are disconnected, and nothing more is written. Nobody calls any more.
  ~DeviceManager();
  DeviceManager(const DeviceManager&) = delete;
  DeviceManager& operator=(const DeviceManager&) = delete;

  // Where plugins are connected, for whoever hears of them: the registration server and the plugin watcher.
  PluginConnections& plugins() { return plugins_; }

  // --- Pods. Blocking: they wait for plugins and for writes.

  // `pod` is active, and outlives the allocation.
  absl::StatusOr<std::unique_ptr<PodAllocation>> BeginAllocation(const Pod& pod);
  // All containers of the pod without regard to topology.
  absl::Status AllocatePod(const Pod& pod);
  // Nothing if the container, one of the pod's, has no devices.
  absl::StatusOr<std::optional<RunOptions>> ContainerRunOptions(const Pod& pod, const Container& container);
  // OK when everything that is known now is in the state file.
  absl::Status Flush();

  // --- Answers that never wait.

  DeviceHintProvider& hints() { return hints_; }
  // As the node's status has it; resources that are gone are told of once.
  DeviceInventory::Capacity GetCapacity();
  // RecoveryOutcome::kFresh, when there was no state file: the node was made anew, and what it said of its resources is
  // void.
  RecoveryOutcome restore_outcome() const { return outcome_; }
  HeldDevices ContainerDevices(const std::string& pod_uid, const std::string& container_name);
  // The healthy devices of each resource, with their NUMA nodes.
  HeldDevices AllocatableDevices() const;
  // `allocatable` as the fit check of the pod has to see it; nothing if as it is.
  std::optional<ResourceCounts> RaiseAllocatable(const std::string& pod_uid, const ResourceCounts& allocatable) const;
  void UpdateStatus(const Pod& pod, const Container& container, std::vector<AllocatedResourceStatus>* statuses) const;
  // Frees what departed pods held, for when nobody else asks.
  void CollectLeftovers();

  // What the manager knows, for checks of its invariants.
  DeviceState& state() { return state_; }
  CheckpointWriterCounts writes() const { return checkpoint_.counts(); }

 private:
  // What was on the node when the manager started.
  struct Found {
    std::unique_ptr<CheckpointManager> files;
    DeviceRestore restored;
  };
  DeviceManager(const DeviceManagerDependencies& dependencies, const DeviceManagerOptions& options, Found found,
                std::vector<CheckpointProblem>* problems);

  AllocationParts Parts();

  const DeviceManagerDependencies deps_;
  const DeviceManagerOptions options_;
  const DeviceRules rules_;
  NodeStart node_start_;  // as it is from the end of New on
  const RecoveryOutcome outcome_;
  const HistogramFamily allocation_duration_;
  // Each uses those above it.
  const std::unique_ptr<CheckpointManager> files_;
  Event work_;
  DeviceState state_;
  DeviceCheckpoint checkpoint_;
  LeftoverCollector leftovers_;
  DeviceHintProvider hints_;
  PluginConnections plugins_;
  DeviceHousekeeper housekeeper_;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_DEVICE_MANAGER_H_
