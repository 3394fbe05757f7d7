// Clock: what time it is. Two times, never to be mixed: the wall's, which people read and which jumps when it is set,
// and the monotonic one, which measures how long things take.
//
// Implementations are thread-safe: RealClock (real_clock.h), FakeClock (fake_clock.h).
#ifndef KUBELET_CM_COMMON_CLOCK_CLOCK_H_
#define KUBELET_CM_COMMON_CLOCK_CLOCK_H_

#include "absl/time/time.h"
#include "common/clock/monotonic_time.h"

namespace kubelet_cm {

class Clock {
 public:
  virtual ~Clock() = default;

  virtual absl::Time WallNow() const = 0;
  virtual MonotonicTime MonotonicNow() const = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_CLOCK_CLOCK_H_
