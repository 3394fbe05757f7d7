#include "testing/scenarios/deaths.h"

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace kubelet_cm::scenarios {
namespace {

// Whether the life that does it survives.
bool Write(Deaths& deaths) {
  const FaultPlan::Verdict verdict = deaths.plan().Begin({FileOp::kWrite, "/x"});
  deaths.plan().End();
  return !absl::IsAborted(verdict.result);
}

proto::DiesAt AtAWrite() {
  proto::DiesAt place;
  place.set_op("write");
  return place;
}

TEST(DeathsTest, AKubeletThatDiesAtItsStepIsFollowedByOneThatLives) {
  Deaths deaths;
  deaths.Begin(AtAWrite());
  EXPECT_FALSE(Write(deaths));
  EXPECT_TRUE(deaths.dead());
  EXPECT_TRUE(deaths.died_there());
  deaths.End();
  EXPECT_FALSE(deaths.dead());
  EXPECT_TRUE(Write(deaths));
}

TEST(DeathsTest, APlaceThatWasNotComeToIsForgottenWithItsStep) {
  Deaths deaths;
  deaths.Begin(AtAWrite());
  deaths.End();
  EXPECT_TRUE(Write(deaths));
}

TEST(DeathsTest, ASweepsPlaceIsCountedOverAllLivesAndIsNotTheSteps) {
  Deaths deaths;
  deaths.swept().Arm({.nth = 3, .effect = FaultEffect::kStopBefore});
  deaths.Begin(AtAWrite());
  EXPECT_FALSE(Write(deaths));
  deaths.End();
  EXPECT_TRUE(Write(deaths));
  EXPECT_FALSE(Write(deaths));
  EXPECT_FALSE(deaths.died_there());
  deaths.Recover();
  EXPECT_FALSE(deaths.dead());
  EXPECT_TRUE(Write(deaths));
}

TEST(DeathsTest, AfterASweepsCrashAStepsPlaceStillKills) {
  Deaths deaths;
  deaths.Recover();
  deaths.Begin(AtAWrite());
  EXPECT_FALSE(Write(deaths));
  EXPECT_TRUE(deaths.died_there());
}

}  // namespace
}  // namespace kubelet_cm::scenarios
