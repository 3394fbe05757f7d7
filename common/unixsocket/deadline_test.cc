#include "common/unixsocket/deadline.h"

#include "absl/time/time.h"
#include "grpc/support/time.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

bool InOrder(gpr_timespec a, gpr_timespec b) { return gpr_time_cmp(a, b) <= 0; }

TEST(DeadlineTest, LiesThatFarAhead) {
  const gpr_timespec hour = gpr_time_from_hours(1, GPR_TIMESPAN);
  const gpr_timespec before = gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), hour);
  const gpr_timespec deadline = DeadlineIn(absl::Hours(1));
  const gpr_timespec after = gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), hour);
  EXPECT_TRUE(InOrder(before, deadline));
  EXPECT_TRUE(InOrder(deadline, after));
}

TEST(DeadlineTest, InfiniteIsNever) {
  const gpr_timespec never = gpr_inf_future(GPR_CLOCK_MONOTONIC);
  EXPECT_EQ(gpr_time_cmp(DeadlineIn(absl::InfiniteDuration()), never), 0);
}

TEST(DeadlineTest, NegativeIsNow) {
  const gpr_timespec deadline = DeadlineIn(-absl::InfiniteDuration());
  EXPECT_TRUE(InOrder(deadline, gpr_now(GPR_CLOCK_MONOTONIC)));
}

TEST(DeadlineTest, TimeUntilItIsAtMostWhatItWasMadeOf) {
  const absl::Duration left = TimeUntil(DeadlineIn(absl::Hours(1)));
  EXPECT_LE(left, absl::Hours(1));
  EXPECT_GT(left, absl::Minutes(50));
  EXPECT_EQ(TimeUntil(DeadlineIn(-absl::Seconds(1))), absl::ZeroDuration());
  EXPECT_EQ(TimeUntil(DeadlineIn(absl::InfiniteDuration())), absl::InfiniteDuration());
}

}  // namespace
}  // namespace kubelet_cm
