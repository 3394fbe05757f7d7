#include "testing/scenarios/crash_sweep.h"

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

constexpr char kPreparedClaim[] = R"(steps { start_driver { driver: 'd' } }
steps { add_claim { claim: 'c' drivers: 'd' } }
steps { admit { pod: 'a' claims: 'c' } }
steps { prepare { pod: 'a' } }
steps { remove_pod { pod: 'a' } }
)";

TEST(CrashSweepTest, EveryCrashOfOurOwnKubeletHeals) {
  const SweepResult swept = SweepCrashes(ScenarioOf(kPreparedClaim), {});
  EXPECT_THAT(swept.failures, IsEmpty());
  EXPECT_THAT(swept.points, Gt(swept.operations));
  EXPECT_THAT(swept.images, Gt(100u));
}

// Until 1.30 a kubelet wrote a claim down when its driver had answered: whoever killed it before that leaked the claim.
TEST(CrashSweepTest, TheClaimThatAnOldKubeletLeaksIsFound) {
  const SweepResult swept = SweepCrashes(ScenarioOf(kPreparedClaim), {.version = "1.30", .most_failures = 1});
  ASSERT_THAT(swept.failures, SizeIs(1));
  EXPECT_THAT(swept.failures[0].where, HasSubstr("/call/d/NodePrepareResources"));
  EXPECT_THAT(FailureText(swept.failures[0].story), HasSubstr("C1 is broken: c-uid is still prepared by d"));
}

TEST(CrashSweepTest, WhatHasToHoldAfterEveryCrashIsLookedAt) {
  const SweepResult swept =
      SweepCrashes(ScenarioOf("steps { start_plugin { resource: 'a/b' count: 1 } }\n"
                              "steps { admit { pod: 'p' limits { resource: 'a/b' count: 1 } } }\n"
                              "after_crash { expect { holds { pod: 'p' resource: 'a/b' ids: 'dev-0' } } }"),
                   {.most_failures = 1});
  ASSERT_THAT(swept.failures, SizeIs(1));
  EXPECT_THAT(FailureText(swept.failures[0].story), HasSubstr("f:4: step 1"));
}

TEST(CrashSweepTest, ShardsShareThePlaces) {
  const ScenarioFile file = ScenarioOf("steps { start_plugin { resource: 'a/b' count: 1 } }");
  const SweepResult all = SweepCrashes(file, {});
  const SweepResult first = SweepCrashes(file, {.shard = 0, .shards = 2});
  const SweepResult second = SweepCrashes(file, {.shard = 1, .shards = 2});
  EXPECT_EQ(first.points + second.points, all.points);
  EXPECT_EQ(first.images + second.images, all.images);
}

TEST(CrashSweepTest, AScenarioThatFailsByItselfIsSaid) {
  const SweepResult swept =
      SweepCrashes(ScenarioOf("steps { admit { pod: 'p' outcome: REFUSED } }"), {.most_failures = 1});
  ASSERT_THAT(swept.failures, SizeIs(1));
  EXPECT_EQ(swept.failures[0].where, "without a crash");
}

}  // namespace
}  // namespace kubelet_cm::scenarios
