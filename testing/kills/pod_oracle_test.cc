#include "testing/kills/pod_oracle.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::kills {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// "held" was admitted with a and b.
class PodOracleTest : public ::testing::Test {
 protected:
  PodOracleTest() {
    oracle_.Admitting("held", 2);
    EXPECT_TRUE(oracle_.Admitted("held", {"a", "b"}));
  }

  PodOracle oracle_;
};

TEST_F(PodOracleTest, WhatWasAnsweredIsThereAsItWasAnswered) {
  EXPECT_TRUE(oracle_.Check({{"held", {{"a", "b"}}}}));
  EXPECT_THAT(oracle_.Check({}).message(), HasSubstr("held was admitted and is not there"));
  EXPECT_THAT(oracle_.Check({{"held", {{"a", "c"}}}}).message(), HasSubstr("was given [a b] and holds [a c]"));
}

TEST_F(PodOracleTest, AnAdmissionThatWasCutHasHappenedAsAWholeOrNot) {
  oracle_.Admitting("cut", 2);
  EXPECT_EQ(oracle_.InFlight(), 1u);
  EXPECT_TRUE(oracle_.Check({{"held", {{"a", "b"}}}}));
  EXPECT_TRUE(oracle_.Check({{"held", {{"a", "b"}}}, {"cut", {{"c", "d"}}}}));
  EXPECT_THAT(oracle_.Check({{"held", {{"a", "b"}}}, {"cut", {{"c"}}}}).message(),
              HasSubstr("cut asked for 2 devices"));
  EXPECT_THAT(oracle_.Adopt({{"held", {{"a", "b"}}}, {"cut", {{"c", "d"}}}}), ElementsAre("cut"));
  EXPECT_THAT(oracle_.Held(), ElementsAre("cut", "held"));
  EXPECT_THAT(oracle_.DevicesOf("cut"), ElementsAre("c", "d"));
}

TEST_F(PodOracleTest, ARemovalThatWasCutHasHappenedOrNot) {
  oracle_.Removing("held");
  EXPECT_TRUE(oracle_.Check({}));
  EXPECT_TRUE(oracle_.Check({{"held", {{"a", "b"}}}}));
  EXPECT_FALSE(oracle_.Check({{"held", {{"c"}}}}));
  EXPECT_THAT(oracle_.Adopt({}), IsEmpty());
  EXPECT_THAT(oracle_.Held(), IsEmpty());
}

TEST_F(PodOracleTest, WhatIsOnItsWayOutStaysThereUntilItIsGone) {
  EXPECT_THAT(oracle_.Check({{"held", {{"a", "b"}, true}}}).message(), HasSubstr("was not asked to go"));
  oracle_.Removing("held");
  EXPECT_TRUE(oracle_.Check({{"held", {{"a", "b"}, true}}}));
  EXPECT_TRUE(oracle_.Check({{"held", {{}, true}}}));
  EXPECT_THAT(oracle_.Adopt({{"held", {{"a", "b"}, true}}}), IsEmpty());
  EXPECT_THAT(oracle_.Held(), IsEmpty());
  EXPECT_THAT(oracle_.Leaving(), ElementsAre("held"));
}

TEST_F(PodOracleTest, WhatIsGoneDoesNotComeBack) {
  oracle_.Removing("held");
  oracle_.Removed("held");
  oracle_.Admitting("refused", 1);
  oracle_.Refused("refused");
  EXPECT_TRUE(oracle_.Check({}));
  EXPECT_THAT(oracle_.Check({{"held", {{"a", "b"}}}}).message(), HasSubstr("held was removed or refused and is there"));
  EXPECT_FALSE(oracle_.Check({{"refused", {{}}}}));
}

TEST_F(PodOracleTest, NoDeviceIsHeldTwice) {
  oracle_.Admitting("other", 1);
  EXPECT_THAT(oracle_.Check({{"held", {{"a", "b"}}}, {"other", {{"b"}}}}).message(),
              HasSubstr("b is held by held and by other"));
  EXPECT_THAT(oracle_.Admitted("other", {"b"}).message(), HasSubstr("b was given to other, and held holds it"));
}

TEST_F(PodOracleTest, NobodyIsAdmittedWithoutWhatItAskedFor) {
  oracle_.Admitting("other", 1);
  EXPECT_THAT(oracle_.Admitted("other", {}).message(), HasSubstr("other asked for 1 devices and got []"));
}

TEST_F(PodOracleTest, WhatIsOnItsWayOutMayBeGivenToOthers) {
  oracle_.Removing("held");
  oracle_.Admitting("other", 1);
  EXPECT_TRUE(oracle_.Admitted("other", {"a"}));
}

}  // namespace
}  // namespace kubelet_cm::kills
