#include "kubelet_cm/config/go_duration.h"

#include "common/status/status_matchers.h"
#include "gtest/gtest.h"

namespace kubelet_cm::config {
namespace {

TEST(GoDurationTest, ReadsWhatGoReads) {
  EXPECT_EQ(ParseGoDuration("1m30s").value_or(absl::ZeroDuration()), absl::Seconds(90));
  EXPECT_EQ(ParseGoDuration("1.5h").value_or(absl::ZeroDuration()), absl::Minutes(90));
  EXPECT_EQ(ParseGoDuration(".5s").value_or(absl::ZeroDuration()), absl::Milliseconds(500));
  EXPECT_EQ(ParseGoDuration("-2us").value_or(absl::ZeroDuration()), absl::Microseconds(-2));
  EXPECT_EQ(ParseGoDuration("2µs").value_or(absl::ZeroDuration()), absl::Microseconds(2));
  EXPECT_EQ(ParseGoDuration("0").value_or(absl::InfiniteDuration()), absl::ZeroDuration());
}

TEST(GoDurationTest, RefusesEverythingElseInGosWords) {
  EXPECT_THAT(ParseGoDuration("10"), StatusIs(absl::StatusCode::kInvalidArgument, "time: invalid duration \"10\""));
  for (const char* text : {"", "s", "1d", "1 s", "inf", "-inf", "1s ", "1e3s", "10000000h"}) {
    EXPECT_THAT(ParseGoDuration(text), StatusIs(absl::StatusCode::kInvalidArgument)) << text;
  }
}

TEST(GoDurationTest, WritesAsGoDoes) {
  EXPECT_EQ(GoDurationText(absl::ZeroDuration()), "0s");
  EXPECT_EQ(GoDurationText(absl::Seconds(60)), "1m0s");
  EXPECT_EQ(GoDurationText(absl::Minutes(60)), "1h0m0s");
  EXPECT_EQ(GoDurationText(absl::Seconds(3601.5)), "1h0m1.5s");
  EXPECT_EQ(GoDurationText(absl::Seconds(60) + absl::Nanoseconds(500000001)), "1m0.500000001s");
  EXPECT_EQ(GoDurationText(absl::Milliseconds(20)), "20ms");
  EXPECT_EQ(GoDurationText(absl::Microseconds(3)), "3µs");
  EXPECT_EQ(GoDurationText(-absl::Seconds(5)), "-5s");
}

}  // namespace
}  // namespace kubelet_cm::config
