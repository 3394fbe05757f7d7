#include "common/threads/real_condition.h"

#include <algorithm>

#include "common/status/check.h"
#include "common/threads/held_locks.h"

namespace kubelet_cm {

RealCondition::~RealCondition() {
  MutexLock lock(&mu_);
  CHECK(waiting_.empty()) << "destroyed while a thread waits for: " << awaited_;
}

bool RealCondition::WaitUntil(Mutex* mu, MonotonicTime deadline) {
  CHECK(threads_internal::held_locks.count == 1) << "waiting for '" << awaited_ << "' while holding a Mutex";
  const auto parker = std::make_shared<Parker>();
  {
    MutexLock lock(&mu_);
    waiting_.push_back(parker);
  }
  // A notification from here on finds the parker: its token waits for the wait.
  mu->Unlock();
  clock_.ParkUntil(parker, deadline);
  {
    MutexLock lock(&mu_);
    waiting_.erase(std::remove(waiting_.begin(), waiting_.end(), parker), waiting_.end());
  }
  mu->Lock();
  return clock_.MonotonicNow() < deadline;
}

void RealCondition::NotifyAll() {
  MutexLock lock(&mu_);
  for (const std::shared_ptr<Parker>& parker : waiting_) parker->Unpark();
}

}  // namespace kubelet_cm
