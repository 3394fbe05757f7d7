#include "common/clock/monotonic_time.h"

#include <sstream>
#include <type_traits>

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

static_assert(!std::is_convertible_v<absl::Time, MonotonicTime> && !std::is_convertible_v<MonotonicTime, absl::Time>);
static_assert(!std::is_convertible_v<absl::Duration, MonotonicTime>);

TEST(MonotonicTimeTest, DifferenceOfTwoInstantsIsADuration) {
  const MonotonicTime start;
  EXPECT_EQ((start + absl::Seconds(90)) - (start + absl::Seconds(30)), absl::Minutes(1));
  EXPECT_EQ(start + absl::Seconds(90) - absl::Seconds(90), start);
}

TEST(MonotonicTimeTest, InstantsAreOrdered) {
  const MonotonicTime early = MonotonicTime::FromStart(absl::Seconds(1));
  const MonotonicTime late = MonotonicTime::FromStart(absl::Seconds(2));
  EXPECT_LT(early, late);
  EXPECT_LE(early, early);
  EXPECT_GT(late, early);
  EXPECT_GE(late, late);
  EXPECT_NE(early, late);
}

TEST(MonotonicTimeTest, NothingIsLaterThanTheInfiniteFuture) {
  const MonotonicTime never = MonotonicTime::InfiniteFuture();
  EXPECT_LT(MonotonicTime::FromStart(absl::Hours(1000000)), never);
  EXPECT_EQ(never + absl::Hours(1), never);
  EXPECT_EQ(MonotonicTime() + absl::InfiniteDuration(), never);
}

TEST(MonotonicTimeTest, PrintsAsDistanceFromTheStart) {
  std::ostringstream text;
  text << MonotonicTime::FromStart(absl::Milliseconds(1500));
  EXPECT_EQ(text.str(), "start+1.5s");
}

}  // namespace
}  // namespace kubelet_cm
