#include "deviceplugin/leftover_collector.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace kubelet_cm::deviceplugin {

bool LeftoverCollector::Seen(uint64_t departures) {
  MutexLock lock(&mu_);
  return seen_.has_value() && *seen_ >= departures;
}

void LeftoverCollector::SetSeen(uint64_t departures) {
  MutexLock lock(&mu_);
  seen_ = std::max(seen_.value_or(0), departures);
}

bool LeftoverCollector::Collect() {
  if (!pods_.SourcesReady()) return false;
  const uint64_t departures = pods_.Departures();
  if (Seen(departures)) return false;
  std::vector<std::string> gone;
  {
    MutexLock lock(&state_.mu);
    // Asked under the lock: whoever holds something was active before, so that one that is missing now has departed;
    // and a pod of the same uid that is admitted from now on looks at what it holds only when this is done.
    const std::shared_ptr<const PodUids> active = pods_.Uids();
    gone = state_.ledger.PodsWithEntries([&](const std::string& uid) { return !active->contains(uid); });
    for (const std::string& uid : gone) state_.ledger.RemovePod(uid);
    if (!gone.empty() && is_written_) state_.Changed();
  }
  SetSeen(departures);
  if (!gone.empty()) log_.V(3).Info("Pods to be removed", {{"podUIDs", gone}});
  return !gone.empty();
}

}  // namespace kubelet_cm::deviceplugin
