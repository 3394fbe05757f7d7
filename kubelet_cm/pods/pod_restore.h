// What the stored pods of an earlier run mean now: which of them are active, and which containers are running.
//
// Pure function.
#ifndef KUBELET_CM_KUBELET_CM_PODS_POD_RESTORE_H_
#define KUBELET_CM_KUBELET_CM_PODS_POD_RESTORE_H_

#include <string_view>
#include <vector>

#include "common/node/node_start.h"
#include "kubelet_cm/pods/pod_codec.h"
#include "kubelet_cm/pods/pod_record.h"

namespace kubelet_cm {

struct RestoredPods {
  std::vector<PodRecord> records;
  NodeStart node_start;
};

struct NodePast {
  std::string_view boot_id = {};  // of the machine now
  bool rebooted = false;          // since the daemon ran
  bool others = false;            // a kubelet had the node since then
};

// What was stored in another boot is restored without running containers, and has to be admitted again: its devices may
// have got other names. So have all pods after others had the node, for their devices may be somebody else's by now. A
// file of an earlier boot is no sign of a reboot: it stays as it is until its pod is admitted again or removed.
RestoredPods RestorePods(std::vector<StoredRecord> stored, const NodePast& past);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_PODS_POD_RESTORE_H_
