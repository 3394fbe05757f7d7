#include "common/clock/real_clock.h"

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(RealClockTest, MonotonicTimeDoesNotGoBack) {
  RealClock clock;
  MonotonicTime last = clock.MonotonicNow();
  for (int i = 0; i < 1000; ++i) {
    const MonotonicTime now = clock.MonotonicNow();
    EXPECT_GE(now, last);
    last = now;
  }
}

// Wrong units or a wrong epoch are off by decades.
TEST(RealClockTest, WallTimeIsOfThisCentury) {
  EXPECT_GT(RealClock().WallNow(), absl::FromCivil(absl::CivilDay(2025, 1, 1), absl::UTCTimeZone()));
  EXPECT_LT(RealClock().WallNow(), absl::FromCivil(absl::CivilDay(2100, 1, 1), absl::UTCTimeZone()));
}

TEST(RealClockTest, ParkUntilEndsAtTheDeadline) {
  RealClock clock;
  const MonotonicTime deadline = clock.MonotonicNow() + absl::Milliseconds(2);
  clock.ParkUntil(std::make_shared<Parker>(), deadline);
  EXPECT_GE(clock.MonotonicNow(), deadline);
}

TEST(RealClockTest, ParkUntilEndsWhenUnparked) {
  RealClock clock;
  const auto parker = std::make_shared<Parker>();
  const MonotonicTime start = clock.MonotonicNow();
  parker->Unpark();
  clock.ParkUntil(parker, start + absl::Hours(10));
  parker->Unpark();
  clock.ParkUntil(parker, MonotonicTime::InfiniteFuture());
  EXPECT_LT(clock.MonotonicNow() - start, absl::Hours(10));
}

}  // namespace
}  // namespace kubelet_cm
