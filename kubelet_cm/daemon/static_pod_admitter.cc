#include "kubelet_cm/daemon/static_pod_admitter.h"

#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/pods/pod_record.h"

namespace kubelet_cm {

void StaticPodAdmitter::OnPod(const PodManifest& manifest) {
  unwanted_.erase(manifest.pod.uid);
  Wanted& wanted = wanted_[manifest.pod.uid];
  wanted = {.pod = manifest.pod};
  Try(wanted);
}

void StaticPodAdmitter::OnPodGone(const std::string& uid) {
  wanted_.erase(uid);
  TryRemove(uid);
}

void StaticPodAdmitter::OnReady() { pods_.SetReady(PodSource::kFolder); }

void StaticPodAdmitter::OnLooked(bool whole) {
  for (const std::string& uid : std::exchange(unwanted_, {})) TryRemove(uid);
  if (whole) RemoveWhatNobodyWants();
  for (auto& [uid, wanted] : wanted_) {
    if (!wanted.settled) Try(wanted);
  }
}

void StaticPodAdmitter::RemoveWhatNobodyWants() {
  for (const SharedPodRecord& record : pods_.All()) {
    const std::string& uid = record->pod->uid;
    const bool ours = record->source == PodSource::kFolder && record->phase != PodPhase::kTerminating;
    if (ours && !wanted_.contains(uid) && !unwanted_.contains(uid)) TryRemove(uid);
  }
}

void StaticPodAdmitter::Try(Wanted& wanted) {
  const absl::Status placed = Place(wanted.pod);
  wanted.settled = placed.ok();
  const std::string error = placed.ToString();
  if (!placed.ok() && wanted.error != error) {
    log_.Error(placed, "Failed to admit or prepare a static pod, will retry", {{"pod", PodDisplayName(wanted.pod)}});
  }
  wanted.error = error;
}

absl::Status StaticPodAdmitter::Place(const Pod& pod) {
  absl::StatusOr<SharedPodRecord> admitted = manager_.AdmitPod(pod, PodSource::kFolder);
  if (absl::IsAlreadyExists(admitted.status())) {
    // Its uid is the manifest's own, and what it asks for is another: it starts again, now or when its claims have been
    // unprepared.
    RETURN_IF_ERROR(manager_.RemovePod({.uid = pod.uid}, false).status());
    admitted = manager_.AdmitPod(pod, PodSource::kFolder);
  }
  RETURN_IF_ERROR(admitted.status());
  if ((*admitted)->phase == PodPhase::kRefused) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::optional<Refusal> failed, manager_.PreparePod({.uid = pod.uid}));
  if (failed.has_value()) return absl::UnavailableError(failed->message);
  return absl::OkStatus();
}

void StaticPodAdmitter::TryRemove(const std::string& uid) {
  const absl::StatusOr<ContainerManager::Removal> removal = manager_.RemovePod({.uid = uid}, false);
  if (removal.ok()) return;
  log_.Error(removal.status(), "Failed to remove a static pod, will retry", {{"podUID", uid}});
  unwanted_.insert(uid);
}

}  // namespace kubelet_cm
