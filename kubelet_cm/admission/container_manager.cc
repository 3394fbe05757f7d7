#include "kubelet_cm/admission/container_manager.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "common/threads/mutex.h"
#include "dra/claim/claim_entry.h"
#include "dra/dra_state.h"
#include "kubelet_cm/pods/pod_uid.h"

namespace kubelet_cm {
namespace {

bool HasClaims(const Pod& pod) { return !pod.claims.empty() || pod.extended_resource_claim.has_value(); }

absl::StatusOr<const Container*> FindContainer(const Pod& pod, const std::string& name) {
  const Container* container = pod.FindContainer(name);
  if (container != nullptr) return container;
  return absl::NotFoundError(absl::StrCat("pod ", PodDisplayName(pod), " has no container \"", name, "\""));
}

}  // namespace

void ContainerManager::Tell(std::string_view kind, const PodRecord& record, EventDetails details) {
  deps_.log.V(2).Info("Pod moved on", {{"event", kind},
                                       {"pod", PodDisplayName(*record.pod)},
                                       {"podUID", record.pod->uid},
                                       {"message", record.message}});
  details.emplace_back("uid", record.pod->uid);
  deps_.events.Record(
      {.kind = kind, .subject = PodDisplayName(*record.pod), .message = record.message, .details = std::move(details)});
}

// --- Admission

absl::Status ContainerManager::CheckAdmissible(const Pod& pod, const SharedPodRecord& there) const {
  if (draining_) return absl::UnavailableError("the node is being drained: no pod is admitted");
  if (there == nullptr || there->phase == PodPhase::kRefused || there->phase == PodPhase::kRestored) {
    return absl::OkStatus();
  }
  if (there->phase == PodPhase::kTerminating) {
    return absl::FailedPreconditionError(absl::StrCat("pod ", PodDisplayName(pod), " is terminating"));
  }
  if (*there->pod == pod) return absl::OkStatus();
  return absl::AlreadyExistsError(
      absl::StrCat("a pod with uid ", pod.uid, " is admitted already, with another specification"));
}

absl::StatusOr<SharedPodRecord> ContainerManager::AdmitPod(const Pod& pod, PodSource source) {
  RETURN_IF_ERROR(ValidatePodUid(pod.uid));
  const PodTable::Turn turn(deps_.pods, pod.uid);
  const SharedPodRecord there = deps_.pods.Find(pod.uid);
  RETURN_IF_ERROR(CheckAdmissible(pod, there));
  const bool is_admitted =
      there != nullptr && (there->phase == PodPhase::kAdmitted || there->phase == PodPhase::kPrepared);
  if (is_admitted) return there;
  PodRecord record{.pod = std::make_shared<const Pod>(pod), .source = source, .since = deps_.clock.WallNow()};
  if (there != nullptr) record.running = there->running;
  deps_.pods.Put(turn, record);
  std::optional<Refusal> refusal = deps_.admission.Admit(*record.pod);
  if (refusal.has_value()) return Refuse(turn, std::move(record), *std::move(refusal));
  record.phase = PodPhase::kAdmitted;
  const absl::Status stored = Replace(turn, record);
  if (!stored.ok()) {
    return Refuse(turn, std::move(record),
                  {.reason = "UnexpectedAdmissionError",
                   .message = absl::StrCat("the pod cannot be remembered: ", stored.message())});
  }
  Tell(event_kind::kPodAdmitted, record);
  return deps_.pods.Find(pod.uid);
}

SharedPodRecord ContainerManager::Refuse(const PodTable::Turn& turn, PodRecord record, Refusal refusal) {
  record.phase = PodPhase::kRefused;
  record.running.clear();
  record.reason = std::move(refusal.reason);
  record.message = std::move(refusal.message);
  // It may have been stored by an earlier boot. When that stays, it comes back as one that holds nothing.
  const absl::Status removed = deps_.store.Remove(turn.uid());
  if (!removed.ok()) deps_.log.Error(removed, "Failed to forget a refused pod", {{"podUID", turn.uid()}});
  deps_.pods.Put(turn, record);
  deps_.devices.CollectLeftovers();
  Tell(event_kind::kPodRefused, record, {{"reason", record.reason}});
  return deps_.pods.Find(turn.uid());
}

absl::Status ContainerManager::Replace(const PodTable::Turn& turn, const PodRecord& record) {
  RETURN_IF_ERROR(deps_.store.Save(record));
  deps_.pods.Put(turn, record);
  return absl::OkStatus();
}

absl::StatusOr<SharedPodRecord> ContainerManager::FindAdmitted(const PodTable::Turn& turn,
                                                               std::string_view what) const {
  const SharedPodRecord there = deps_.pods.Find(turn.uid());
  if (there == nullptr) return absl::NotFoundError(absl::StrCat("pod with uid \"", turn.uid(), "\" not found"));
  if (there->phase == PodPhase::kAdmitted || there->phase == PodPhase::kPrepared) return there;
  return absl::FailedPreconditionError(absl::StrCat("pod ", PodDisplayName(*there->pod),
                                                    " is not admitted: ", std::string(what), " has to wait for that"));
}

// --- Starting

absl::StatusOr<std::optional<Refusal>> ContainerManager::PreparePod(const PodName& name) {
  ASSIGN_OR_RETURN(const SharedPodRecord named, deps_.pods.Find(name));
  const PodTable::Turn turn(deps_.pods, named->pod->uid);
  ASSIGN_OR_RETURN(const SharedPodRecord there, FindAdmitted(turn, "preparing"));
  PodRecord record = *there;
  absl::Status prepared = absl::OkStatus();
  if (deps_.claims != nullptr) {
    prepared = deps_.claims->PrepareResources(*record.pod);
  } else if (HasClaims(*record.pod)) {
    prepared = absl::UnimplementedError("this kubelet has no dynamic resource allocation");
  }
  if (!prepared.ok()) {
    record.reason = event_kind::kPodPrepareFailed;
    record.message = absl::StrCat("Failed to prepare dynamic resources: ", prepared.message());
    deps_.log.Error(prepared, "Failed to prepare dynamic resources", {{"pod", PodDisplayName(*record.pod)}});
    deps_.pods.Put(turn, record);
    Tell(event_kind::kPodPrepareFailed, record);
    return Refusal{.reason = record.reason, .message = record.message};
  }
  if (record.phase == PodPhase::kPrepared) return std::nullopt;
  record.phase = PodPhase::kPrepared;
  record.since = deps_.clock.WallNow();
  record.reason.clear();
  record.message.clear();
  RETURN_IF_ERROR(Replace(turn, record));
  Tell(event_kind::kPodPrepared, record);
  return std::nullopt;
}

absl::StatusOr<StartOptions> ContainerManager::ContainerOptions(const PodName& name, const std::string& container) {
  ASSIGN_OR_RETURN(const SharedPodRecord named, deps_.pods.Find(name));
  const PodTable::Turn turn(deps_.pods, named->pod->uid);
  ASSIGN_OR_RETURN(const SharedPodRecord there, FindAdmitted(turn, "starting a container"));
  ASSIGN_OR_RETURN(const Container* const starting, FindContainer(*there->pod, container));
  if (HasClaims(*there->pod) && there->phase != PodPhase::kPrepared) {
    return absl::FailedPreconditionError(
        absl::StrCat("pod ", PodDisplayName(*there->pod), " has claims that are not prepared yet"));
  }
  StartOptions options;
  if (deps_.claims != nullptr && HasClaims(*there->pod)) {
    RETURN_IF_ERROR(CheckClaimsPrepared(*there->pod));
    ASSIGN_OR_RETURN(options.claims, deps_.claims->GetResources(*there->pod, *starting));
    deps_.log.V(5).Info("Determined CDI devices for pod",
                        {{"pod", PodDisplayName(*there->pod)}, {"cdiDevices", options.claims.cdi_device_ids}});
  }
  ASSIGN_OR_RETURN(std::optional<deviceplugin::RunOptions> devices,
                   deps_.devices.ContainerRunOptions(*there->pod, *starting));
  if (devices.has_value()) options.devices = *std::move(devices);
  return options;
}

// The pod was prepared once; since then its state file may have been lost, or written by a kubelet.
absl::Status ContainerManager::CheckClaimsPrepared(const Pod& pod) const {
  dra::DraState& state = deps_.claims->state();
  MutexLock lock(&state.mu);
  for (const dra::ClaimEntry* claim : state.table.claims().ClaimsOf(pod.uid)) {
    if (dra::AllPrepared(*claim)) continue;
    return absl::FailedPreconditionError(absl::StrCat("pod ", PodDisplayName(pod),
                                                      " has a claim that is not prepared: ", claim->id.name,
                                                      "; the pod has to be prepared again"));
  }
  return absl::OkStatus();
}

absl::Status ContainerManager::ContainerStarted(const PodName& name, const std::string& container) {
  return SetRunning(name, container, true);
}

absl::Status ContainerManager::ContainerExited(const PodName& name, const std::string& container) {
  return SetRunning(name, container, false);
}

absl::Status ContainerManager::SetRunning(const PodName& name, const std::string& container, bool running) {
  ASSIGN_OR_RETURN(const SharedPodRecord named, deps_.pods.Find(name));
  const PodTable::Turn turn(deps_.pods, named->pod->uid);
  ASSIGN_OR_RETURN(const SharedPodRecord there, FindAdmitted(turn, "its container"));
  RETURN_IF_ERROR(FindContainer(*there->pod, container).status());
  PodRecord record = *there;
  const bool changed = running ? record.running.insert(container).second : record.running.erase(container) > 0;
  if (!changed) return absl::OkStatus();
  RETURN_IF_ERROR(Replace(turn, record));
  Tell(running ? event_kind::kContainerStarted : event_kind::kContainerExited, record, {{"container", container}});
  return absl::OkStatus();
}

// --- The way out

absl::StatusOr<ContainerManager::Removal> ContainerManager::RemovePod(const PodName& name, bool force) {
  const absl::StatusOr<SharedPodRecord> named = deps_.pods.Find(name);
  if (absl::IsNotFound(named.status())) return Removal{.removed = true, .message = "there is no such pod"};
  RETURN_IF_ERROR(named.status());
  const PodTable::Turn turn(deps_.pods, (*named)->pod->uid);
  const SharedPodRecord there = deps_.pods.Find(turn.uid());
  if (there == nullptr) return Removal{.removed = true};
  if (force || there->phase == PodPhase::kRefused) return Forget(turn, *there);
  return Terminate(turn, *there);
}

absl::StatusOr<ContainerManager::Removal> ContainerManager::Terminate(const PodTable::Turn& turn,
                                                                      const PodRecord& there) {
  PodRecord record = there;
  if (record.phase != PodPhase::kTerminating) {
    record.phase = PodPhase::kTerminating;
    record.since = deps_.clock.WallNow();
    record.running.clear();
    RETURN_IF_ERROR(Replace(turn, record));
    Tell(event_kind::kPodTerminating, record);
  }
  const absl::Status unprepared =
      deps_.claims == nullptr ? absl::OkStatus() : deps_.claims->UnprepareResources(*record.pod);
  if (unprepared.ok()) return Forget(turn, record);
  record.reason = "FailedUnprepareDynamicResources";
  record.message = std::string(unprepared.message());
  deps_.log.Error(unprepared, "Failed to unprepare dynamic resources", {{"pod", PodDisplayName(*record.pod)}});
  deps_.pods.Put(turn, record);
  return Removal{.removed = false, .message = record.message};
}

// The record goes first: what a pod holds that nobody remembers is left over, and freed by the next start, too.
absl::StatusOr<ContainerManager::Removal> ContainerManager::Forget(const PodTable::Turn& turn, const PodRecord& there) {
  RETURN_IF_ERROR(deps_.store.Remove(turn.uid()));
  deps_.pods.Remove(turn);
  deps_.devices.CollectLeftovers();
  Tell(event_kind::kPodRemoved, there);
  return Removal{.removed = true};
}

void ContainerManager::RetryTerminations() {
  for (const SharedPodRecord& listed : deps_.pods.All()) {
    if (listed->phase != PodPhase::kTerminating) continue;
    const PodTable::Turn turn(deps_.pods, listed->pod->uid);
    // While this one waited for its turn, the pod may have gone, and another may have been admitted under its uid.
    const SharedPodRecord there = deps_.pods.Find(turn.uid());
    if (there == nullptr || there->phase != PodPhase::kTerminating) continue;
    const absl::StatusOr<Removal> removal = Terminate(turn, *there);
    if (!removal.ok()) {
      deps_.log.Error(removal.status(), "Failed to go on with a terminating pod", {{"podUID", turn.uid()}});
    }
  }
}

}  // namespace kubelet_cm
