// Parker: where one thread sleeps until another wakes it. The bottom of all waiting, below the Threads seam: only
// implementations of Threads and of WaitableClock use it.
//
// A Parker holds at most one token. Unpark() puts it there, Park() waits for it and takes it: a token that comes before
// the wait is not lost, a second one is. One thread parks; any thread unparks. A time limit is counted by the
// monotonic clock, which is why this stands on the standard library: Abseil's waits follow changes of the wall clock.
#ifndef KUBELET_CM_COMMON_THREADS_PARKER_H_
#define KUBELET_CM_COMMON_THREADS_PARKER_H_

#include <condition_variable>
#include <mutex>

#include "absl/time/time.h"

namespace kubelet_cm {

class Parker {
 public:
  Parker() = default;
  Parker(const Parker&) = delete;
  Parker& operator=(const Parker&) = delete;

  void Park();
  // As Park, but waits for `limit` of real time at most, and never much longer than a day. False when it took no token.
  bool ParkFor(absl::Duration limit);
  void Unpark();

 private:
  std::mutex mu_;  // guards token_; not a Mutex, whose bookkeeping is for the code above the seam
  std::condition_variable unparked_;
  bool token_ = false;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_THREADS_PARKER_H_
