#include "dra/plugin/driver_version.h"

#include <string>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

auto Refused(const std::string& message) { return StatusIs(absl::StatusCode::kInvalidArgument, message); }

std::string Read(std::string_view text) {
  const absl::StatusOr<DriverVersion> version = DriverVersion::Parse(text);
  return version.ok() ? version->ToString() : "";
}

TEST(DriverVersionTest, NumbersAreReadAndTheRestIsNot) {
  EXPECT_EQ(Read("1.0.0"), "1.0.0");
  EXPECT_EQ(Read(" \tv1.2-alpha.1+x"), "1.2");
  EXPECT_EQ(Read("1.2.3.04"), "1.2.3.4");
  EXPECT_EQ(Read("1.2."), "1.2");
}

TEST(DriverVersionTest, WhatIsNoVersionIsRefusedInUpstreamsWords) {
  EXPECT_THAT(DriverVersion::Parse("").status(), Refused(R"(could not parse "" as version)"));
  EXPECT_THAT(DriverVersion::Parse("v1.DRAPlugin").status(), Refused(R"(illegal version string "v1.DRAPlugin")"));
  EXPECT_THAT(DriverVersion::Parse("1.0\n").status(), Refused(R"(could not parse "1.0\n" as version)"));
  EXPECT_THAT(DriverVersion::Parse("01.0").status(),
              Refused(R"(illegal zero-prefixed version component "01" in "01.0")"));
  EXPECT_THAT(DriverVersion::Parse("1.18446744073709551616").status(),
              Refused("illegal non-numeric version component \"18446744073709551616\" in \"1.18446744073709551616\": "
                      "strconv.ParseUint: parsing \"18446744073709551616\": value out of range"));
}

TEST(DriverVersionTest, OrderIsNumberByNumber) {
  EXPECT_LT(*DriverVersion::Parse("1.9"), *DriverVersion::Parse("1.10"));
  EXPECT_LT(*DriverVersion::Parse("1.9"), *DriverVersion::Parse("1.9.1"));
  EXPECT_EQ(*DriverVersion::Parse("1.9"), *DriverVersion::Parse("1.9.0"));
}

TEST(DriverVersionTest, HighestOfThoseUpToMajorOneIsTaken) {
  ASSERT_OK_AND_ASSIGN(const DriverVersion version, HighestSupported({"1.0.0", "1.2.0", "0.9", "2.0", "x"}));
  EXPECT_EQ(version.ToString(), "1.2.0");
}

TEST(DriverVersionTest, DriverWithoutVersionOneIsRefusedInUpstreamsWords) {
  EXPECT_THAT(HighestSupported({"0.9", "0.8"}).status(),
              Refused("highest supported version reported by plugin is 0.9, must be v1.x"));
  EXPECT_THAT(HighestSupported({"2.0", "3.0"}).status(),
              Refused("could not find a highest supported version from versions ([2.0 3.0]) reported by this plugin: "
                      "<nil>"));
  EXPECT_THAT(HighestSupported({"x", "y"}).status(),
              Refused("could not find a highest supported version from versions ([x y]) reported by this plugin: "
                      "could not parse \"x\" as version"));
}

}  // namespace
}  // namespace kubelet_cm::dra
