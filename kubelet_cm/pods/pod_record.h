// PodRecord: a pod that the daemon answers for, and how far it is. A plain value.
#ifndef KUBELET_CM_KUBELET_CM_PODS_POD_RECORD_H_
#define KUBELET_CM_KUBELET_CM_PODS_POD_RECORD_H_

#include <memory>
#include <string>
#include <string_view>

#include "absl/container/btree_set.h"
#include "absl/time/time.h"
#include "common/node/pod.h"

namespace kubelet_cm {

// Who told of a pod.
enum class PodSource {
  kApi,        // a client of the control API
  kFolder,     // a manifest in the folder of static pods
  kStateFile,  // nobody: a state file of the managers names it
};

enum class PodPhase {
  kAdmitting,    // gets its devices at this moment
  kAdmitted,     // has them
  kPrepared,     // has its claims, too
  kTerminating,  // on its way out: its claims are being unprepared
  kRestored,     // was admitted by an earlier boot or another kubelet: keeps what it holds until it is admitted again
  kRefused,      // kept for a while so that it can be explained
};

struct PodRecord {
  std::shared_ptr<const Pod> pod;  // never null
  PodSource source = PodSource::kApi;
  PodPhase phase = PodPhase::kAdmitting;
  absl::btree_set<std::string> running = {};  // names of its containers
  absl::Time since = {};                      // when it came into its phase
  // Why it was refused, or is not through with being prepared or removed.
  std::string reason = {};
  std::string message = {};
};

// Whether it may hold something: nobody takes that for left over.
inline bool IsActive(const PodRecord& record) { return record.phase != PodPhase::kRefused; }

// "api", "folder", "state-file".
std::string_view PodSourceName(PodSource source);

// "namespace/name", or the uid of a pod of which nothing else is known.
std::string PodDisplayName(const Pod& pod);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_PODS_POD_RECORD_H_
