#include "kubelet_cm/pods/pod_restore.h"

#include <string>
#include <utility>

namespace kubelet_cm {

RestoredPods RestorePods(std::vector<StoredRecord> stored, const NodePast& past) {
  RestoredPods restored;
  restored.node_start.rebooted = past.rebooted;
  restored.records.reserve(stored.size());
  for (StoredRecord& from : stored) {
    PodRecord record = std::move(from.record);
    const bool this_boot = from.boot_id == past.boot_id;
    if (!this_boot) record.running.clear();
    for (const std::string& container : record.running) {
      restored.node_start.running.insert({record.pod->uid, container});
    }
    // One that was on its way out goes on with that.
    const bool holds = this_boot && !past.others;
    if (!holds && record.phase != PodPhase::kTerminating) record.phase = PodPhase::kRestored;
    restored.records.push_back(std::move(record));
  }
  return restored;
}

}  // namespace kubelet_cm
