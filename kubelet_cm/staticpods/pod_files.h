// PodFiles: the pods in a set of manifests, and what has changed since it was last told. Pure value code.
//
// A pod without a uid is another pod when its content changes, as for the kubelet: the old one goes, the new one comes.
// A file that is broken keeps the pods that it had: nobody's pods end by a typing error. A pod that is in two manifests
// stays what it was in the one that had it first.
#ifndef KUBELET_CM_KUBELET_CM_STATICPODS_POD_FILES_H_
#define KUBELET_CM_KUBELET_CM_STATICPODS_POD_FILES_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kubelet_cm/manifest/pod_manifest.h"
#include "kubelet_cm/manifestfolder/manifest_file.h"

namespace kubelet_cm {

struct PodChanges {
  std::vector<std::string> gone = {};  // uids
  std::vector<PodManifest> pods = {};  // new ones, and known ones that have changed
};

struct ListedPod {
  PodManifest manifest;
  std::string file;
};

class PodFiles {
 public:
  explicit PodFiles(std::string node_name) : node_name_(std::move(node_name)) {}

  // What a file has now, as ParsePods tells. The error that it has, for the log.
  absl::Status Set(const std::string& file, absl::StatusOr<std::vector<PodManifest>> pods);
  void Remove(const std::string& file);

  // What is other than at the last call; sorted by uid. Pods that are gone are to be dealt with first.
  PodChanges TakeChanges();

  // The pods as of the last TakeChanges, by uid.
  std::vector<ListedPod> List() const;
  // Files that are broken, and pods that are in two of them; by file.
  std::vector<ManifestProblem> Problems() const;
  // Whether a file is broken: then it is not known which pods it should have.
  bool AnyBroken() const;

 private:
  struct File {
    absl::Status error = {};
    std::vector<PodManifest> pods = {};
  };
  using PodsByUid = absl::btree_map<std::string, ListedPod>;

  // The pods that count, those that counted before taking precedence.
  PodsByUid Choose();

  const std::string node_name_;
  absl::btree_map<std::string, File> files_;
  PodsByUid told_;
  std::vector<ManifestProblem> conflicts_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_STATICPODS_POD_FILES_H_
