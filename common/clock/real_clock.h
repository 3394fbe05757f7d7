// RealClock: the system's time.
#ifndef KUBELET_CM_COMMON_CLOCK_REAL_CLOCK_H_
#define KUBELET_CM_COMMON_CLOCK_REAL_CLOCK_H_

#include <memory>

#include "common/clock/waitable_clock.h"

namespace kubelet_cm {

class RealClock : public WaitableClock {
 public:
  absl::Time WallNow() const override;
  MonotonicTime MonotonicNow() const override;
  void ParkUntil(const std::shared_ptr<Parker>& parker, MonotonicTime deadline) override;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_CLOCK_REAL_CLOCK_H_
