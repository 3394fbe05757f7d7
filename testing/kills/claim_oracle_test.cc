#include "testing/kills/claim_oracle.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::kills {
namespace {

using ::testing::HasSubstr;

// "claim" was prepared for pod "a", after the driver was asked twice: the first answer was lost.
class ClaimOracleTest : public ::testing::Test {
 protected:
  ClaimOracleTest() { EXPECT_TRUE(oracle_.Prepared("claim", "a", 2)); }

  static ClaimOracle::Claims Good() {
    return {{"claim", {.listed = true, .pods = {"a"}, .at_driver = true, .prepares = 2}}};
  }

  ClaimOracle oracle_;
  ClaimOracle::Claims seen_ = Good();
};

TEST_F(ClaimOracleTest, WhatWasAnsweredIsThereAsItWasAnswered) {
  EXPECT_TRUE(oracle_.Check(seen_));
  EXPECT_TRUE(oracle_.CheckAll(seen_));
  EXPECT_TRUE(oracle_.IsPrepared("claim", "a"));
  EXPECT_FALSE(oracle_.IsPrepared("claim", "b"));
}

TEST_F(ClaimOracleTest, AClaimThatTheDaemonLostIsSeen) {
  EXPECT_FALSE(oracle_.Check({}));
  seen_["claim"].listed = false;
  EXPECT_THAT(oracle_.Check(seen_).message(), HasSubstr("claim was answered as prepared and is not listed as such"));
}

TEST_F(ClaimOracleTest, APodThatTheDaemonLostIsSeen) {
  EXPECT_TRUE(oracle_.Prepared("claim", "b", 2));
  EXPECT_THAT(oracle_.Check(seen_).message(), HasSubstr("was prepared for [a b], and is listed for [a]"));
}

TEST_F(ClaimOracleTest, NothingIsUnpreparedUnderAPod) {
  seen_["claim"].at_driver = false;
  EXPECT_THAT(oracle_.Check(seen_).message(), HasSubstr("C2: claim was unprepared under [a]"));
}

TEST_F(ClaimOracleTest, WhatWasAnsweredIsNotAskedForAgain) {
  seen_["claim"].prepares = 3;
  EXPECT_THAT(oracle_.Check(seen_).message(), HasSubstr("C3: the driver was asked for claim 2 times"));
  EXPECT_THAT(oracle_.Prepared("claim", "b", 3).message(), HasSubstr("and then 1 times more"));
}

TEST_F(ClaimOracleTest, WhoeverIsAskedToGoNeedsNothing) {
  EXPECT_TRUE(oracle_.Prepared("claim", "b", 2));
  oracle_.Removing("claim", "a");
  EXPECT_FALSE(oracle_.Check({}));
  oracle_.Removing("claim", "b");
  EXPECT_TRUE(oracle_.Check({}));
  oracle_.Removing("claim", "b");
  EXPECT_TRUE(oracle_.Prepared("claim", "c", 3));
}

TEST_F(ClaimOracleTest, WhatNobodyHasIsGone) {
  seen_["other"] = {.at_driver = true, .prepares = 1};
  EXPECT_TRUE(oracle_.Check(seen_));
  EXPECT_THAT(oracle_.CheckAll(seen_).message(), HasSubstr("C1: other is still prepared, and no pod has it"));
  seen_["other"] = {.listed = true};
  EXPECT_THAT(oracle_.CheckAll(seen_).message(), HasSubstr("C1: the daemon still has other, and no pod has it"));
  seen_["other"] = {.prepares = 1};
  EXPECT_TRUE(oracle_.CheckAll(seen_));
  seen_["claim"].at_driver = false;
  EXPECT_FALSE(oracle_.CheckAll(seen_));
}

}  // namespace
}  // namespace kubelet_cm::kills
