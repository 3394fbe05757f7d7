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

// `boot_id`: of the machine now. What was stored in another boot is restored without running containers, and has to be
// admitted again: its devices may have got other names. The node counts as rebooted when that is so for any pod.
RestoredPods RestorePods(const std::vector<StoredRecord>& stored, std::string_view boot_id);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_PODS_POD_RESTORE_H_
