#include "common/threads/notification.h"

#include "common/threads/held_locks.h"

namespace kubelet_cm {

Notification::Notification(Threads& threads, absl::string_view awaited)
    : clock_(threads.clock()), happened_(threads.NewCondition(awaited)) {}

// Waits for a Notify that has woken the caller but not yet released the lock.
Notification::~Notification() { MutexLock lock(&mu_); }

void Notification::Notify() {
  MutexLock lock(&mu_);
  notified_ = true;
  happened_->NotifyAll();
}

bool Notification::HasBeenNotified() const {
  MutexLock lock(&mu_);
  return notified_;
}

void Notification::Wait() {
  threads_internal::CheckHoldsNoMutex();
  MutexLock lock(&mu_);
  while (!notified_) happened_->Wait(&mu_);
}

bool Notification::WaitUntil(MonotonicTime deadline) {
  threads_internal::CheckHoldsNoMutex();
  MutexLock lock(&mu_);
  while (!notified_ && happened_->WaitUntil(&mu_, deadline)) {
  }
  return notified_;
}

bool Notification::WaitFor(absl::Duration limit) { return WaitUntil(clock_.MonotonicNow() + limit); }

}  // namespace kubelet_cm
