#include "testing/scenarios/disk_error_sweep.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/scenarios/scenario_of.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kAdmitted[] = R"(steps { start_plugin { resource: 'a/b' count: 2 } }
steps { admit { pod: 'p' limits { resource: 'a/b' count: 1 } } }
)";

TEST(DiskErrorSweepTest, OurOwnKubeletLosesNothingToAnyErrorOfTheDisk) {
  const DiskErrorResult swept = SweepDiskErrors(ScenarioOf(kAdmitted), {});
  EXPECT_THAT(swept.failures, IsEmpty());
  EXPECT_THAT(swept.errors, Gt(swept.operations * 4)) << "four errors for each operation, and short writes";
}

TEST(DiskErrorSweepTest, WhatIsBrokenWithoutAnErrorIsSaid) {
  const DiskErrorResult swept =
      SweepDiskErrors(ScenarioOf(std::string(kAdmitted) + "steps { restart { as_version: '1.20.0' } }"),
                      {.version = "1.19", .most_failures = 1});
  ASSERT_THAT(swept.failures, SizeIs(1));
  EXPECT_EQ(swept.failures[0].where, "without an error");
  EXPECT_THAT(FailureText(swept.failures[0].story), HasSubstr("D3 is broken"));
}

TEST(DiskErrorSweepTest, ShardsShareTheErrors) {
  const ScenarioFile file = ScenarioOf("steps { start_plugin { resource: 'a/b' count: 1 } }");
  const size_t all = SweepDiskErrors(file, {}).errors;
  EXPECT_EQ(
      SweepDiskErrors(file, {.shard = 0, .shards = 2}).errors + SweepDiskErrors(file, {.shard = 1, .shards = 2}).errors,
      all);
}

}  // namespace
}  // namespace kubelet_cm::scenarios
