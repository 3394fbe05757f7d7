#include "kubelet_cm/pods/pod_restore.h"

#include <string>
#include <utility>

namespace kubelet_cm {

RestoredPods RestorePods(const std::vector<StoredRecord>& stored, std::string_view boot_id) {
  RestoredPods restored;
  for (const StoredRecord& from : stored) {
    PodRecord record = from.record;
    if (from.boot_id == boot_id) {
      for (const std::string& container : record.running) {
        restored.node_start.running.insert({record.pod->uid, container});
      }
    } else {
      restored.node_start.rebooted = true;
      record.running.clear();
      // One that was on its way out goes on with that.
      if (record.phase != PodPhase::kTerminating) record.phase = PodPhase::kRestored;
    }
    restored.records.push_back(std::move(record));
  }
  return restored;
}

}  // namespace kubelet_cm
