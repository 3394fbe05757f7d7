// Mutex, MutexLock and CondVar: Abseil's, known to the clang thread-safety analysis and to ThreadSanitizer.
//
// Use these and not absl::Mutex: the distribution's Abseil is built without ThreadSanitizer, which therefore does not
// see its locks and reports races where there are none. The two annotations here tell it what a lock orders. For the
// same reason there is no wait for an absl::Condition: Abseil evaluates it on whichever thread unlocks. Wait in a loop:
//
//   MutexLock lock(&mu_);
//   while (!done_) changed_.Wait(&mu_);
//
// Product code does not wait with CondVar: it waits through the Threads seam (threads.h: Condition, and Notification
// and Event on top of it), which takes time limits from a Clock and lets a scheduler draw the order. CondVar is for
// fakes and tests. The rule that nothing waits while it holds a lock is checked: Mutex counts what its thread holds.
//
// Thread-safe by nature. Fields that a mutex guards stand below it, each with ABSL_GUARDED_BY(mu_).
#ifndef KUBELET_CM_COMMON_THREADS_MUTEX_H_
#define KUBELET_CM_COMMON_THREADS_MUTEX_H_

#include "absl/base/optimization.h"
#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "common/status/check.h"
#include "common/threads/held_locks.h"

#if defined(__SANITIZE_THREAD__)
#define KUBELET_CM_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define KUBELET_CM_TSAN 1
#endif
#endif

#ifdef KUBELET_CM_TSAN
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace kubelet_cm {

// Tells ThreadSanitizer of an order that it cannot see: what happened before OrderBefore(p) on one thread happened
// before what follows OrderAfter(p) on another. Nothing in other builds.
inline void OrderBefore([[maybe_unused]] void* address) {
#ifdef KUBELET_CM_TSAN
  __tsan_release(address);
#endif
}
inline void OrderAfter([[maybe_unused]] void* address) {
#ifdef KUBELET_CM_TSAN
  __tsan_acquire(address);
#endif
}

class ABSL_LOCKABLE Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() {
    threads_internal::HeldLocks& held = threads_internal::held_locks;
    if (ABSL_PREDICT_FALSE(held.before_first != nullptr) && held.count == 0) held.before_first();
    mu_.Lock();
    OrderAfter(this);
    ++held.count;
  }
  void Unlock() ABSL_UNLOCK_FUNCTION() {
    --threads_internal::held_locks.count;
    OrderBefore(this);
    mu_.Unlock();
  }
  // Crashes when the calling thread does not hold the lock (in builds with assertions).
  void AssertHeld() const ABSL_ASSERT_EXCLUSIVE_LOCK() { mu_.AssertHeld(); }

 private:
  friend class CondVar;
  absl::Mutex mu_;
};

class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex* mu) ABSL_EXCLUSIVE_LOCK_FUNCTION(mu) : mu_(mu) { mu_->Lock(); }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() { mu_->Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex* const mu_;
};

class CondVar {
 public:
  CondVar() = default;
  CondVar(const CondVar&) = delete;
  CondVar& operator=(const CondVar&) = delete;

  // Gives `mu` up while it waits, and has it again when it returns; may wake without a signal.
  void Wait(Mutex* mu) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu) {
    CheckMayBlock();
    OrderBefore(mu);
    cv_.Wait(&mu->mu_);
    OrderAfter(mu);
  }
  // As Wait, and also returns after `limit` of real time: true when that was the reason. For a test's time limit; it
  // follows changes of the wall clock.
  bool WaitFor(Mutex* mu, absl::Duration limit) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu) {
    CheckMayBlock();
    OrderBefore(mu);
    const bool timed_out = cv_.WaitWithTimeout(&mu->mu_, limit);
    OrderAfter(mu);
    return timed_out;
  }
  void Signal() { cv_.Signal(); }
  void SignalAll() { cv_.SignalAll(); }

 private:
  static void CheckMayBlock() {
    CHECK(threads_internal::held_locks.before_first == nullptr)
        << "CondVar would block the one thread that runs under SeededThreads: wait through the Threads seam";
  }

  absl::CondVar cv_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_THREADS_MUTEX_H_
