#include "tools/bench/bench_pods.h"

namespace kubelet_cm {

std::shared_ptr<const PodUids> BenchPods::Uids() const {
  MutexLock lock(&mu_);
  return std::make_shared<PodUids>(uids_);
}

uint64_t BenchPods::Departures() const {
  MutexLock lock(&mu_);
  return departures_;
}

void BenchPods::Add(const std::string& uid) {
  MutexLock lock(&mu_);
  uids_.insert(uid);
}

void BenchPods::Remove(const std::string& uid) {
  MutexLock lock(&mu_);
  if (uids_.erase(uid) > 0) ++departures_;
}

}  // namespace kubelet_cm
