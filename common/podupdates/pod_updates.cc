#include "common/podupdates/pod_updates.h"

#include <utility>

namespace kubelet_cm {

PodUpdates::PodUpdates(Threads& threads) : added_(threads, "a pod whose status changed") {}

void PodUpdates::Add(absl::Span<const std::string> pod_uids) {
  if (pod_uids.empty()) return;
  {
    MutexLock lock(&mu_);
    pending_.insert(pod_uids.begin(), pod_uids.end());
  }
  added_.Set();
}

std::vector<std::string> PodUpdates::Take() {
  MutexLock lock(&mu_);
  std::vector<std::string> taken(pending_.begin(), pending_.end());
  pending_.clear();
  return taken;
}

std::vector<std::string> PodUpdates::WaitAndTake(MonotonicTime deadline) {
  std::vector<std::string> taken = Take();
  // The event may be left from pods that were taken already.
  while (taken.empty() && added_.WaitUntil(deadline)) taken = Take();
  return taken;
}

}  // namespace kubelet_cm
