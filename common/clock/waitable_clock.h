// WaitableClock: a Clock on which RealThreads can wait for a deadline. Product code asks for a Clock instead, and waits
// through the Threads seam.
#ifndef KUBELET_CM_COMMON_CLOCK_WAITABLE_CLOCK_H_
#define KUBELET_CM_COMMON_CLOCK_WAITABLE_CLOCK_H_

#include <memory>

#include "common/clock/clock.h"
#include "common/clock/monotonic_time.h"
#include "common/threads/parker.h"

namespace kubelet_cm {

class WaitableClock : public Clock {
 public:
  // Returns when `parker` is unparked or the clock has reached `deadline`; may return earlier. Called by the thread
  // that parks there.
  virtual void ParkUntil(const std::shared_ptr<Parker>& parker, MonotonicTime deadline) = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_CLOCK_WAITABLE_CLOCK_H_
