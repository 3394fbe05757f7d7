// What a thread knows about the Mutexes that it holds, for the two rules that keep waiting honest:
//
//  - nothing waits while it holds a Mutex (the one given up to Condition::WaitUntil apart): every wait checks it;
//  - under SeededThreads the baton never changes hands while a Mutex is held, so that no Mutex is ever contended, and
//    may change hands just before a thread takes one: that is where races between critical sections show.
//
// Kept per thread by Mutex itself; of no interest to anything but common/threads.
#ifndef KUBELET_CM_COMMON_THREADS_HELD_LOCKS_H_
#define KUBELET_CM_COMMON_THREADS_HELD_LOCKS_H_

#include "common/status/check.h"

namespace kubelet_cm::threads_internal {

struct HeldLocks {
  int count = 0;
  // Called before the thread takes a Mutex while it holds none. SeededThreads sets it on the threads that it starts.
  void (*before_first)() = nullptr;
};

inline constinit thread_local HeldLocks held_locks;

// For what waits or may wait.
inline void CheckHoldsNoMutex() { CHECK(held_locks.count == 0) << "a thread that holds a Mutex must not wait"; }

}  // namespace kubelet_cm::threads_internal

#endif  // KUBELET_CM_COMMON_THREADS_HELD_LOCKS_H_
