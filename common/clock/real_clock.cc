#include "common/clock/real_clock.h"

#include <chrono>

#include "absl/time/clock.h"

namespace kubelet_cm {

absl::Time RealClock::WallNow() const { return absl::Now(); }

MonotonicTime RealClock::MonotonicNow() const {
  return MonotonicTime::FromStart(absl::FromChrono(std::chrono::steady_clock::now().time_since_epoch()));
}

void RealClock::ParkUntil(const std::shared_ptr<Parker>& parker, MonotonicTime deadline) {
  if (deadline == MonotonicTime::InfiniteFuture()) {
    parker->Park();
  } else {
    parker->ParkFor(deadline - MonotonicNow());
  }
}

}  // namespace kubelet_cm
