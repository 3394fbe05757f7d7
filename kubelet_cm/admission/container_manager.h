// ContainerManager: what a node agent asks of the device stack for its pods, in the order of a kubelet: admission with
// devices, claims before the sandbox, what a container is started with, and the way out.
//
//   ASSIGN_OR_RETURN(const SharedPodRecord admitted, manager.AdmitPod(pod, PodSource::kApi));
//   if (admitted->phase == PodPhase::kRefused) ...                       // with reason and message
//   ASSIGN_OR_RETURN(std::optional<Refusal> failed, manager.PreparePod(name));
//   ASSIGN_OR_RETURN(StartOptions options, manager.ContainerOptions(name, "main"));
//
// An answer means that what it says survives a crash. Every call may be repeated. Calls for one pod are done one after
// the other, for different pods at the same time; they wait for plugins, drivers and writes, all with deadlines.
// Thread-safe.
#ifndef KUBELET_CM_KUBELET_CM_ADMISSION_CONTAINER_MANAGER_H_
#define KUBELET_CM_KUBELET_CM_ADMISSION_CONTAINER_MANAGER_H_

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/clock/clock.h"
#include "common/log/logger.h"
#include "common/node/node_events.h"
#include "deviceplugin/allocation/run_options.h"
#include "deviceplugin/device_manager.h"
#include "dra/dra_manager.h"
#include "kubelet_cm/admission/pod_admission.h"
#include "kubelet_cm/pods/pod_record.h"
#include "kubelet_cm/pods/pod_store.h"
#include "kubelet_cm/pods/pod_table.h"

namespace kubelet_cm {

// What a container is started with.
struct StartOptions {
  dra::ClaimRunOptions claims = {};  // first: the runtime gets these CDI names before the devices'
  deviceplugin::RunOptions devices = {};

  friend bool operator==(const StartOptions&, const StartOptions&) = default;
};

class ContainerManager {
 public:
  // All of it outlives the manager.
  struct Dependencies {
    PodTable& pods;
    PodStore& store;
    PodAdmission& admission;
    deviceplugin::DeviceManager& devices;
    dra::DraManager* claims = nullptr;  // null: this kubelet has no DRA
    const Clock& clock;
    Logger& log;
    NodeEvents& events;
  };
  struct Removal {
    bool removed = false;      // false: it is terminating, and RetryTerminations tries again
    std::string message = {};  // what it waits for
  };

  explicit ContainerManager(const Dependencies& dependencies) : deps_(dependencies) {}
  ContainerManager(const ContainerManager&) = delete;
  ContainerManager& operator=(const ContainerManager&) = delete;

  // The record says whether it is admitted or refused. InvalidArgument for a uid that is none, AlreadyExists when it is
  // admitted with another specification, FailedPrecondition while it is terminating, Unavailable when draining.
  absl::StatusOr<SharedPodRecord> AdmitPod(const Pod& pod, PodSource source);

  // Nothing when its claims are prepared; otherwise why not, to be tried again. Before the pod's sandbox is made.
  absl::StatusOr<std::optional<Refusal>> PreparePod(const PodName& name);

  // Before each start of the container: tells the plugins that want to know.
  absl::StatusOr<StartOptions> ContainerOptions(const PodName& name, const std::string& container);

  absl::Status ContainerStarted(const PodName& name, const std::string& container);
  absl::Status ContainerExited(const PodName& name, const std::string& container);

  // After its last container has ended. `force`: it is forgotten at once, and its claims are unprepared later.
  absl::StatusOr<Removal> RemovePod(const PodName& name, bool force);

  // Goes on with pods that are terminating.
  void RetryTerminations();

  // No pod is admitted from now on.
  void Drain() { draining_ = true; }
  bool draining() const { return draining_; }

 private:
  using EventDetails = std::vector<std::pair<std::string, std::string>>;

  // After the table has the record: for the log, and for those who watch.
  void Tell(std::string_view kind, const PodRecord& record, EventDetails details = {});
  absl::Status CheckAdmissible(const Pod& pod, const SharedPodRecord& there) const;
  // The pod's record, for whoever has its turn; an error if it cannot be used in the way called `what`.
  absl::StatusOr<SharedPodRecord> FindAdmitted(const PodTable::Turn& turn, std::string_view what) const;
  // Stores it first, so that what is in the table is durable.
  absl::Status Replace(const PodTable::Turn& turn, const PodRecord& record);
  SharedPodRecord Refuse(const PodTable::Turn& turn, PodRecord record, Refusal refusal);
  absl::Status CheckClaimsPrepared(const Pod& pod) const;
  absl::Status SetRunning(const PodName& name, const std::string& container, bool running);
  absl::StatusOr<Removal> Terminate(const PodTable::Turn& turn, const PodRecord& there);
  absl::StatusOr<Removal> Forget(const PodTable::Turn& turn, const PodRecord& there);

  const Dependencies deps_;
  std::atomic<bool> draining_ = false;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_ADMISSION_CONTAINER_MANAGER_H_
