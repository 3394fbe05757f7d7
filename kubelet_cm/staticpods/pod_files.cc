#include "kubelet_cm/staticpods/pod_files.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"

namespace kubelet_cm {
namespace {

std::string FullName(const PodManifest& manifest) {
  return absl::StrCat(manifest.pod.namespace_name, "/", manifest.pod.name);
}

// Which pods were chosen so far, by uid and by name; values are files.
class TakenPods {
 public:
  // The file that has the pod, or another of its name; empty: none, and now it is `file`'s.
  std::string Take(const PodManifest& manifest, const std::string& file) {
    const std::string name = FullName(manifest);
    for (const auto& [taken, key] : {std::pair(&by_uid_, manifest.pod.uid), std::pair(&by_name_, name)}) {
      if (const auto found = taken->find(key); found != taken->end()) return found->second;
    }
    by_uid_.emplace(manifest.pod.uid, file);
    by_name_.emplace(name, file);
    return "";
  }

 private:
  using Files = absl::flat_hash_map<std::string, std::string>;
  Files by_uid_;
  Files by_name_;
};

}  // namespace

absl::Status PodFiles::Set(const std::string& file, absl::StatusOr<std::vector<PodManifest>> pods) {
  std::vector<PodManifest> placed;
  if (pods.ok()) {
    for (PodManifest& pod : *pods) {
      absl::StatusOr<PodManifest> manifest = AsStaticPod(std::move(pod), node_name_);
      if (!manifest.ok()) return files_[file].error = manifest.status();
      placed.push_back(*std::move(manifest));
    }
    files_[file] = {.error = {}, .pods = std::move(placed)};
    return absl::OkStatus();
  }
  return files_[file].error = pods.status();
}

void PodFiles::Remove(const std::string& file) { files_.erase(file); }

PodFiles::PodsByUid PodFiles::Choose() {
  conflicts_.clear();
  PodsByUid chosen;
  TakenPods taken;
  for (const bool incumbents : {true, false}) {
    for (const auto& [name, file] : files_) {
      for (const PodManifest& manifest : file.pods) {
        const auto before = told_.find(manifest.pod.uid);
        if (incumbents != (before != told_.end() && before->second.file == name)) continue;
        const std::string holder = taken.Take(manifest, name);
        if (holder.empty()) {
          chosen.emplace(manifest.pod.uid, ListedPod{manifest, name});
          continue;
        }
        conflicts_.push_back(
            {name, absl::AlreadyExistsError(absl::StrCat("pod ", FullName(manifest), " (", manifest.pod.uid, ") is in ",
                                                         holder, " already"))});
      }
    }
  }
  return chosen;
}

PodChanges PodFiles::TakeChanges() {
  PodsByUid chosen = Choose();
  PodChanges changes;
  for (const auto& [uid, listed] : told_) {
    if (!chosen.contains(uid)) changes.gone.push_back(uid);
  }
  for (const auto& [uid, listed] : chosen) {
    const auto before = told_.find(uid);
    if (before == told_.end() || before->second.manifest != listed.manifest) changes.pods.push_back(listed.manifest);
  }
  told_ = std::move(chosen);
  return changes;
}

std::vector<ListedPod> PodFiles::List() const {
  std::vector<ListedPod> listed;
  listed.reserve(told_.size());
  for (const auto& [uid, pod] : told_) listed.push_back(pod);
  return listed;
}

std::vector<ManifestProblem> PodFiles::Problems() const {
  std::vector<ManifestProblem> problems = conflicts_;
  for (const auto& [name, file] : files_) {
    if (!file.error.ok()) problems.push_back({name, file.error});
  }
  std::stable_sort(problems.begin(), problems.end(),
                   [](const ManifestProblem& a, const ManifestProblem& b) { return a.file < b.file; });
  return problems;
}

bool PodFiles::AnyBroken() const {
  return std::any_of(files_.begin(), files_.end(), [](const auto& file) { return !file.second.error.ok(); });
}

}  // namespace kubelet_cm
