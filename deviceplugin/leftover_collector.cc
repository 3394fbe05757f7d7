#include "deviceplugin/leftover_collector.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace kubelet_cm::deviceplugin {

LeftoverCollector::Occasions LeftoverCollector::Now() {
  Occasions now{.departures = pods_.Departures()};
  MutexLock lock(&mu_);
  now.late = late_;
  return now;
}

bool LeftoverCollector::Seen(const Occasions& now) {
  MutexLock lock(&mu_);
  return seen_.has_value() && seen_->departures >= now.departures && seen_->late >= now.late;
}

void LeftoverCollector::SetSeen(const Occasions& now) {
  MutexLock lock(&mu_);
  const Occasions before = seen_.value_or(Occasions());
  seen_ = {.departures = std::max(before.departures, now.departures), .late = std::max(before.late, now.late)};
}

void LeftoverCollector::LookAgain() {
  MutexLock lock(&mu_);
  ++late_;
}

bool LeftoverCollector::Collect() {
  if (!pods_.SourcesReady()) return false;
  const Occasions now = Now();
  if (Seen(now)) return false;
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
  SetSeen(now);
  if (!gone.empty()) log_.V(3).Info("Pods to be removed", {{"podUIDs", gone}});
  return !gone.empty();
}

}  // namespace kubelet_cm::deviceplugin
