// PodFolder: pods from a folder of manifests, as the kubelet's static pods. What counts as a manifest and how changes
// are noticed: kubelet_cm/manifestfolder; which pods there are: pod_files.h.
#ifndef KUBELET_CM_KUBELET_CM_STATICPODS_POD_FOLDER_H_
#define KUBELET_CM_KUBELET_CM_STATICPODS_POD_FOLDER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "common/log/logger.h"
#include "common/threads/mutex.h"
#include "kubelet_cm/manifest/pod_manifest.h"
#include "kubelet_cm/manifestfolder/manifest_folder.h"
#include "kubelet_cm/staticpods/pod_files.h"

namespace kubelet_cm {

// Called on one thread, in order, with no lock held. It may take its time: changes that come meanwhile are told as one.
class PodFolderListener {
 public:
  virtual ~PodFolderListener() = default;

  // New, or changed, its uid being the same.
  virtual void OnPod(const PodManifest& manifest) = 0;
  virtual void OnPodGone(const std::string& uid) = 0;
  // All pods that were there at the start have been told. Once.
  virtual void OnReady() = 0;
  // After each look at the folder, every 20 s and after each change: a time to try again what failed. `whole`: no
  // manifest is broken, so that a pod that was not told of is in none of them.
  virtual void OnLooked(bool whole) = 0;
};

// Thread-safe.
class PodFolder : private ManifestFolderListener {
 public:
  // Calls of the listener begin at once. What is given outlives the object.
  static absl::StatusOr<std::unique_ptr<PodFolder>> New(ManifestFolder::Dependencies dependencies,
                                                        ManifestFolder::Options options, std::string node_name,
                                                        PodFolderListener& listener);

  // As PodFiles.
  std::vector<ListedPod> List() const;
  std::vector<ManifestProblem> Problems() const;

 private:
  PodFolder(Logger& log, std::string node_name, PodFolderListener& listener);
  void OnFiles(ManifestChanges changes) override;
  void OnLooked(const absl::Status& outcome) override;
  bool AnyBroken() const;
  absl::Status Set(const std::string& file, absl::StatusOr<std::vector<PodManifest>> pods);
  PodChanges RemoveAndTakeChanges(const std::vector<std::string>& gone);

  Logger& log_;
  PodFolderListener& listener_;
  bool ready_ = false;  // of the folder's thread
  mutable Mutex mu_;
  PodFiles files_ ABSL_GUARDED_BY(mu_);
  std::unique_ptr<ManifestFolder> folder_;  // last: it calls this object
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_STATICPODS_POD_FOLDER_H_
