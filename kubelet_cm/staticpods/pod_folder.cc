#include "kubelet_cm/staticpods/pod_folder.h"

#include <utility>

#include "absl/memory/memory.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/manifest/pod_parser.h"

namespace kubelet_cm {
namespace {

absl::StatusOr<std::vector<PodManifest>> PodsOf(const ManifestFile& file) {
  RETURN_IF_ERROR(file.text.status());
  return ParsePods(*file.text);
}

}  // namespace

absl::StatusOr<std::unique_ptr<PodFolder>> PodFolder::New(ManifestFolder::Dependencies dependencies,
                                                          ManifestFolder::Options options, std::string node_name,
                                                          PodFolderListener& listener) {
  auto pods = absl::WrapUnique(new PodFolder(dependencies.log, std::move(node_name), listener));
  ASSIGN_OR_RETURN(pods->folder_, ManifestFolder::New(dependencies, std::move(options), *pods));
  return pods;
}

PodFolder::PodFolder(Logger& log, std::string node_name, PodFolderListener& listener)
    : log_(log), listener_(listener), files_(std::move(node_name)) {}

void PodFolder::OnFiles(ManifestChanges changes) {
  for (const ManifestFile& file : changes.changed) {
    const absl::Status status = Set(file.name, PodsOf(file));
    if (!status.ok()) log_.Error(status, "Could not use a manifest of pods", {{"file", file.name}});
  }
  const PodChanges pod_changes = RemoveAndTakeChanges(changes.gone);
  for (const std::string& uid : pod_changes.gone) listener_.OnPodGone(uid);
  for (const PodManifest& manifest : pod_changes.pods) listener_.OnPod(manifest);
  if (!std::exchange(ready_, true)) listener_.OnReady();
}

void PodFolder::OnLooked(const absl::Status& outcome) {
  if (outcome.ok()) listener_.OnLooked(!AnyBroken());
}

bool PodFolder::AnyBroken() const {
  MutexLock lock(&mu_);
  return files_.AnyBroken();
}

absl::Status PodFolder::Set(const std::string& file, absl::StatusOr<std::vector<PodManifest>> pods) {
  MutexLock lock(&mu_);
  return files_.Set(file, std::move(pods));
}

PodChanges PodFolder::RemoveAndTakeChanges(const std::vector<std::string>& gone) {
  MutexLock lock(&mu_);
  for (const std::string& name : gone) files_.Remove(name);
  return files_.TakeChanges();
}

std::vector<ListedPod> PodFolder::List() const {
  MutexLock lock(&mu_);
  return files_.List();
}

std::vector<ManifestProblem> PodFolder::Problems() const {
  MutexLock lock(&mu_);
  return files_.Problems();
}

}  // namespace kubelet_cm
