// StaticPodAdmitter: the pods of the manifest folder on their way through the container manager: admitted and prepared
// when they appear, removed when they vanish. What fails is tried again at the folder's next look; a pod that is
// refused is not, as a kubelet's.
#ifndef KUBELET_CM_KUBELET_CM_DAEMON_STATIC_POD_ADMITTER_H_
#define KUBELET_CM_KUBELET_CM_DAEMON_STATIC_POD_ADMITTER_H_

#include <string>

#include "absl/container/btree_map.h"
#include "absl/container/btree_set.h"
#include "absl/status/status.h"
#include "common/log/logger.h"
#include "common/node/pod.h"
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
  void OnReady() override;
  // Pods that an earlier run had from the folder, and that are not in it any more, are removed once the folder is
  // whole: nobody's pods end by a typing error.
  void OnLooked(bool whole) override;

 private:
  struct Wanted {
    Pod pod;
    bool settled = false;    // prepared, or refused
    std::string error = {};  // of the last try; it is logged when it changes
  };

  void Try(Wanted& wanted);
  // OK when there is nothing left to be done.
  absl::Status Place(const Pod& pod);
  void TryRemove(const std::string& uid);
  void RemoveWhatNobodyWants();

  ContainerManager& manager_;
  PodTable& pods_;
  Logger& log_;
  absl::btree_map<std::string, Wanted> wanted_;  // by uid
  absl::btree_set<std::string> unwanted_;        // uids whose removal has failed
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_DAEMON_STATIC_POD_ADMITTER_H_
