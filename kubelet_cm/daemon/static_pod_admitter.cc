#include "kubelet_cm/daemon/static_pod_admitter.h"

#include <optional>

#include "absl/status/statusor.h"
#include "kubelet_cm/pods/pod_record.h"

namespace kubelet_cm {

void StaticPodAdmitter::OnPod(const PodManifest& manifest) {
  const Pod& pod = manifest.pod;
  told_.insert(pod.uid);
  absl::StatusOr<SharedPodRecord> admitted = manager_.AdmitPod(pod, PodSource::kFolder);
  if (absl::IsAlreadyExists(admitted.status())) {
    // Its uid is the manifest's own, and what it asks for is another: it starts again.
    Remove(pod.uid);
    admitted = manager_.AdmitPod(pod, PodSource::kFolder);
  }
  if (!admitted.ok()) {
    log_.Error(admitted.status(), "Failed to admit a static pod", {{"pod", PodDisplayName(pod)}});
    return;
  }
  if ((*admitted)->phase != PodPhase::kRefused) Prepare(pod);
}

void StaticPodAdmitter::Prepare(const Pod& pod) {
  const absl::StatusOr<std::optional<Refusal>> prepared = manager_.PreparePod({.uid = pod.uid});
  if (!prepared.ok()) log_.Error(prepared.status(), "Failed to prepare a static pod", {{"pod", PodDisplayName(pod)}});
}

void StaticPodAdmitter::Remove(const std::string& uid) {
  const absl::StatusOr<ContainerManager::Removal> removal = manager_.RemovePod({.uid = uid}, false);
  if (!removal.ok()) log_.Error(removal.status(), "Failed to remove a static pod", {{"podUID", uid}});
}

void StaticPodAdmitter::OnPodGone(const std::string& uid) {
  told_.erase(uid);
  Remove(uid);
}

void StaticPodAdmitter::OnReady() {
  for (const SharedPodRecord& record : pods_.All()) {
    if (record->source == PodSource::kFolder && !told_.contains(record->pod->uid)) Remove(record->pod->uid);
  }
  told_.clear();
  pods_.SetReady(PodSource::kFolder);
}

}  // namespace kubelet_cm
