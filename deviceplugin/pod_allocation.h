// PodAllocation: devices for one pod, all or nothing.
//
//   ASSIGN_OR_RETURN(auto allocation, PodAllocation::New(parts, pod));
//   for (const Container& container : pod.containers) {
//     RETURN_IF_ERROR(allocation->Allocate(container, affinity));
//   }
//   RETURN_IF_ERROR(allocation->Commit());
//
// What a container gets is reserved before its plugin is asked, so nobody else can get it meanwhile, and no lock is
// held while the plugin answers. Commit looks once more whether every device is still there and healthy, makes all of
// them entries of the ledger together, and returns when they are durable: one write a pod. Whatever fails, and whatever
// is not committed when the object goes, is released: nothing stays reserved.
//
// One thread uses it. Allocations for different pods run at the same time; a pod has one at a time.
#ifndef KUBELET_CM_DEVICEPLUGIN_POD_ALLOCATION_H_
#define KUBELET_CM_DEVICEPLUGIN_POD_ALLOCATION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/clock/clock.h"
#include "common/log/logger.h"
#include "common/metrics/registry.h"
#include "common/node/active_pods.h"
#include "common/node/node_start.h"
#include "common/node/numa_mask.h"
#include "common/node/pod.h"
#include "common/threads/event.h"
#include "deviceplugin/allocation/allocation_check.h"
#include "deviceplugin/allocation/device_picker.h"
#include "deviceplugin/device_checkpoint.h"
#include "deviceplugin/device_rules.h"
#include "deviceplugin/device_state.h"
#include "deviceplugin/leftover_collector.h"
#include "deviceplugin/plugin_connections.h"

namespace kubelet_cm::deviceplugin {

// What allocations work with; all of it outlives them.
struct AllocationParts {
  DeviceState& state;
  DeviceCheckpoint& checkpoint;
  PluginConnections& plugins;
  const ActivePods& active_pods;
  LeftoverCollector& leftovers;
  const NodeStart& node_start;
  const Clock& clock;
  Logger& log;
  Event& changed;                // wakes the housekeeper, which writes what nobody waits for
  HistogramFamily duration;      // device_plugin_alloc_duration_seconds, by resource
  int64_t no_topology_key = -1;  // the NUMA key of devices that tell of no node
  bool cdi_devices = true;       // containers get CDI names
  bool cdi_annotations = false;  // also as an annotation
  DeviceRules rules = {};
};

class PodAllocation {
 public:
  // `pod` outlives the object. Aborted if the pod has an allocation under way.
  static absl::StatusOr<std::unique_ptr<PodAllocation>> New(const AllocationParts& parts, const Pod& pod);

  // Releases what was not committed.
  ~PodAllocation();
  PodAllocation(const PodAllocation&) = delete;
  PodAllocation& operator=(const PodAllocation&) = delete;

  // Frees what departed pods held, and gives the container, one of the pod's, what it asks for, on the NUMA nodes of
  // `affinity` as far as that goes. The pod's containers come in their order. After an error nothing more can be done
  // with the object.
  absl::Status Allocate(const Container& container, std::optional<NumaMask> affinity);

  // OK when the pod's devices survive a crash. Otherwise it holds none of them.
  absl::Status Commit();

 private:
  // What a plugin was asked for and has answered.
  struct Granted {
    HolderKey holder;
    ReservationId reservation;
    uint64_t generation;  // of the resource when the ids were found healthy
    std::vector<std::string> ids;
    std::string response;
  };
  // What a container needs of a resource, and what was reserved for it before the plugin is asked.
  struct Reserved {
    std::optional<std::vector<std::string>> held = {};  // that its entry has already
    AllocationNeed need = AllocationNeed::kDevices;     // the rest is for kDevices only
    ReservationId reservation = 0;
    uint64_t generation = 0;
    PickRequest request = {};
    Pick pick = {};
    std::optional<PluginInstance> plugin = {};
  };

  PodAllocation(const AllocationParts& parts, const Pod& pod) : parts_(parts), pod_(pod) {}

  absl::Status AllocateResource(const HolderKey& holder, int64_t count, std::optional<NumaMask> affinity);
  absl::Status Reserve(const HolderKey& holder, int64_t count, std::optional<NumaMask> affinity, Reserved& reserved);
  // `reserving` is what Reserve has returned.
  void LogNeed(const HolderKey& holder, int64_t count, const Reserved& reserved, const absl::Status& reserving) const;
  absl::StatusOr<AllocationNeed> CheckNeed(const HolderKey& holder, int64_t count, bool sources_ready,
                                           const std::optional<std::vector<std::string>>& held) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(parts_.state.mu);
  absl::StatusOr<std::vector<std::string>> AskPreferred(const HolderKey& holder, Reserved& reserved);
  absl::StatusOr<std::string> AskPlugin(const HolderKey& holder, const Reserved& reserved,
                                        const std::vector<std::string>& ids);
  // Unavailable if one of the ids is not healthy any more.
  absl::Status CheckStillHealthy(const Granted& granted) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(parts_.state.mu);
  // As an entry has it; ResourceExhausted for what the state file would not be read again with.
  absl::StatusOr<DeviceEntry> Filed(const Granted& granted) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(parts_.state.mu);
  // All of it or nothing.
  absl::Status CommitToLedger(const std::vector<Granted>& granted) ABSL_EXCLUSIVE_LOCKS_REQUIRED(parts_.state.mu);
  void TakeBack(const std::vector<Granted>& committed);

  const AllocationParts parts_;
  const Pod& pod_;
  bool durable_ = false;  // everything that this allocation changed is written
  std::vector<ReservationId> reservations_;
  std::vector<Granted> granted_;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_POD_ALLOCATION_H_
