// StaticPodAdmitter: the pods of the manifest folder on their way through the container manager: admitted and prepared
// when they appear, removed when they vanish.
#ifndef KUBELET_CM_KUBELET_CM_DAEMON_STATIC_POD_ADMITTER_H_
#define KUBELET_CM_KUBELET_CM_DAEMON_STATIC_POD_ADMITTER_H_

#include <string>

#include "absl/container/flat_hash_set.h"
#include "common/log/logger.h"
#include "kubelet_cm/admission/container_manager.h"
#include "kubelet_cm/pods/pod_table.h"
#include "kubelet_cm/staticpods/pod_folder.h"

namespace kubelet_cm {

// Called on the folder's thread.
class StaticPodAdmitter : public PodFolderListener {
 public:
  // All of it outlives the object.
  StaticPodAdmitter(ContainerManager& manager, PodTable& pods, Logger& log)
      : manager_(manager), pods_(pods), log_(log) {}

  void OnPod(const PodManifest& manifest) override;
  void OnPodGone(const std::string& uid) override;
  // Pods that an earlier run had from the folder, and that are not in it any more, are removed.
  void OnReady() override;

 private:
  void Prepare(const Pod& pod);
  void Remove(const std::string& uid);

  ContainerManager& manager_;
  PodTable& pods_;
  Logger& log_;
  absl::flat_hash_set<std::string> told_;  // uids, until the folder is ready
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_DAEMON_STATIC_POD_ADMITTER_H_
