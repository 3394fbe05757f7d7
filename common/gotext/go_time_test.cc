#include "common/gotext/go_time.h"

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

std::string Again(std::string_view text) {
  const auto time = ParseGoTime(text);
  return time.has_value() ? FormatGoTime(*time) : "none";
}

TEST(GoTimeTest, KeepsWhatIsInUtc) {
  for (const char* text : {"2026-08-01T09:30:00Z", "2026-08-01T09:30:59.123456789Z", "2024-02-29T23:59:59.5Z",
                           "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.000000001Z"}) {
    EXPECT_EQ(Again(text), text);
  }
  EXPECT_EQ(Again(kGoZeroTime), kGoZeroTime);
}

TEST(GoTimeTest, ZonesAndNeedlessDecimalsGo) {
  EXPECT_EQ(Again("2026-08-01T01:30:00.100+02:00"), "2026-07-31T23:30:00.1Z");
  EXPECT_EQ(Again("2026-08-01T01:30:00.000-07:30"), "2026-08-01T09:00:00Z");
  EXPECT_EQ(Again("2026-08-01T01:30:00.1234567899Z"), "2026-08-01T01:30:00.123456789Z");
}

TEST(GoTimeTest, WhatGoRefusesIsNoTime) {
  for (const char* text : {"",
                           "2026",
                           "2026-08-01",
                           "2026-08-01 09:30:00Z",
                           "2026-08-01T09:30:00",
                           "2026-08-01T9:30:00Z",
                           "2026-08-01T24:00:00Z",
                           "2026-08-01T09:60:00Z",
                           "2026-08-01T09:30:60Z",
                           "2026-02-29T00:00:00Z",
                           "2026-13-01T00:00:00Z",
                           "2026-00-01T00:00:00Z",
                           "2026-08-01T09:30:00.Z",
                           "2026-08-01T09:30:00,5Z",
                           "2026-08-01T09:30:00z",
                           "2026-08-01T09:30:00+0200",
                           "2026-08-01T09:30:00+24:00",
                           "2026-08-01T09:30:00+02:60",
                           "2026-08-01T09:30:00Zx",
                           " 2026-08-01T09:30:00Z"}) {
    EXPECT_EQ(Again(text), "none") << text;
  }
}

}  // namespace
}  // namespace kubelet_cm
