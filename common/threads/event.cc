#include "common/threads/event.h"

#include <utility>

#include "common/threads/held_locks.h"

namespace kubelet_cm {

Event::Event(Threads& threads, absl::string_view awaited)
    : clock_(threads.clock()), was_set_(threads.NewCondition(awaited)) {}

// Waits for a Set that has woken the caller but not yet released the lock.
Event::~Event() { MutexLock lock(&mu_); }

void Event::Set() {
  MutexLock lock(&mu_);
  set_ = true;
  was_set_->NotifyAll();
}

void Event::Wait() {
  threads_internal::CheckHoldsNoMutex();
  MutexLock lock(&mu_);
  while (!set_) was_set_->Wait(&mu_);
  set_ = false;
}

bool Event::WaitUntil(MonotonicTime deadline) {
  threads_internal::CheckHoldsNoMutex();
  MutexLock lock(&mu_);
  while (!set_ && was_set_->WaitUntil(&mu_, deadline)) {
  }
  return std::exchange(set_, false);
}

bool Event::WaitFor(absl::Duration limit) { return WaitUntil(clock_.MonotonicNow() + limit); }

}  // namespace kubelet_cm
