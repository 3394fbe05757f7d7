#include "common/features/feature_gates.h"

#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;

constexpr FeatureGate kTable[] = {
    {.name = "Young", .stage = FeatureStage::kAlpha},
    {.name = "Ripe", .stage = FeatureStage::kBeta, .on_by_default = true},
    {.name = "Shy", .stage = FeatureStage::kBeta},
    {.name = "Done", .stage = FeatureStage::kGa, .on_by_default = true, .locked = true},
    {.name = "Dropped", .stage = FeatureStage::kDeprecated, .on_by_default = false, .locked = true},
    {.name = "Leaving", .stage = FeatureStage::kDeprecated, .on_by_default = true},
};

FeatureGates Defaults() { return FeatureGates(kTable); }

absl::StatusOr<bool> EnabledUnder(absl::string_view flag, absl::string_view name) {
  const absl::StatusOr<FeatureGates> gates = Defaults().WithFlag(flag);
  if (!gates.ok()) return gates.status();
  return gates->Enabled(name);
}

TEST(FeatureGatesTest, GatesHaveTheirDefaults) {
  EXPECT_FALSE(Defaults().Enabled("Young"));
  EXPECT_TRUE(Defaults().Enabled("Ripe"));
  EXPECT_FALSE(Defaults().Enabled("Shy"));
  EXPECT_TRUE(Defaults().Enabled("Done"));
}

TEST(FeatureGatesTest, FlagSetsGates) {
  EXPECT_THAT(EnabledUnder("Young=true,Ripe=false", "Young"), IsOkAndHolds(true));
  EXPECT_THAT(EnabledUnder("Young=true,Ripe=false", "Ripe"), IsOkAndHolds(false));
  EXPECT_THAT(EnabledUnder("Young=true,Ripe=false", "Shy"), IsOkAndHolds(false));
  EXPECT_THAT(EnabledUnder("Leaving=false", "Leaving"), IsOkAndHolds(false));
}

TEST(FeatureGatesTest, FlagMayHaveSpacesEmptyPartsAndGosBooleans) {
  EXPECT_THAT(EnabledUnder(" Young = T ,, Shy=1,", "Young"), IsOkAndHolds(true));
  EXPECT_THAT(EnabledUnder(" Young = T ,, Shy=1,", "Shy"), IsOkAndHolds(true));
  EXPECT_THAT(EnabledUnder("Ripe=FALSE", "Ripe"), IsOkAndHolds(false));
  EXPECT_THAT(EnabledUnder("", "Ripe"), IsOkAndHolds(true));
}

TEST(FeatureGatesTest, LastValueInAFlagCounts) {
  EXPECT_THAT(EnabledUnder("Young=true,Young=false", "Young"), IsOkAndHolds(false));
}

TEST(FeatureGatesTest, AllAlphaSetsAlphaGatesOnly) {
  EXPECT_THAT(EnabledUnder("AllAlpha=true", "Young"), IsOkAndHolds(true));
  EXPECT_THAT(EnabledUnder("AllAlpha=true", "Shy"), IsOkAndHolds(false));
}

TEST(FeatureGatesTest, AllBetaSetsBetaGatesOnly) {
  EXPECT_THAT(EnabledUnder("AllBeta=false", "Ripe"), IsOkAndHolds(false));
  EXPECT_THAT(EnabledUnder("AllBeta=true", "Shy"), IsOkAndHolds(true));
  EXPECT_THAT(EnabledUnder("AllBeta=true", "Young"), IsOkAndHolds(false));
  EXPECT_THAT(EnabledUnder("AllBeta=false", "Leaving"), IsOkAndHolds(true));
}

TEST(FeatureGatesTest, GateThatIsSetByNameIgnoresAllAlphaWhereverThatStands) {
  EXPECT_THAT(EnabledUnder("Young=false,AllAlpha=true", "Young"), IsOkAndHolds(false));
  EXPECT_THAT(EnabledUnder("AllAlpha=true,Young=false", "Young"), IsOkAndHolds(false));
}

TEST(FeatureGatesTest, SettingsOnTopWin) {
  ASSERT_OK_AND_ASSIGN(const FeatureGates from_file, Defaults().With({{"Young", true}, {"Shy", true}}));
  ASSERT_OK_AND_ASSIGN(const FeatureGates from_flag, from_file.WithFlag("Young=false"));
  EXPECT_FALSE(from_flag.Enabled("Young"));
  EXPECT_TRUE(from_flag.Enabled("Shy"));
  EXPECT_EQ(from_flag.SettingsText(), "Shy=true,Young=false");
}

TEST(FeatureGatesTest, UnknownGateIsRejected) {
  EXPECT_THAT(Defaults().WithFlag("Young=true,Wrong=true"),
              StatusIs(absl::StatusCode::kInvalidArgument, "unrecognized feature gate: Wrong"));
}

TEST(FeatureGatesTest, LockedGateTakesNothingButItsDefault) {
  EXPECT_THAT(EnabledUnder("Done=true", "Done"), IsOkAndHolds(true));
  EXPECT_THAT(
      Defaults().With({{"Done", false}}),
      StatusIs(absl::StatusCode::kInvalidArgument, "cannot set feature gate Done to false, feature is locked to true"));
  EXPECT_THAT(Defaults().With({{"Dropped", true}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "cannot set feature gate Dropped to true, feature is locked to false"));
}

TEST(FeatureGatesTest, ValueThatIsNoBooleanIsRejected) {
  EXPECT_THAT(Defaults().WithFlag("Young=maybe"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "invalid value of Young=maybe, err: strconv.ParseBool: parsing \"maybe\": invalid syntax"));
  EXPECT_THAT(Defaults().WithFlag("Young=true=false"),
              StatusIs(absl::StatusCode::kInvalidArgument, ::testing::HasSubstr("invalid value of Young=true=false")));
}

TEST(FeatureGatesTest, ValueInAnErrorIsQuotedAsInGo) {
  EXPECT_THAT(Defaults().WithFlag("Young=\x01\""),
              StatusIs(absl::StatusCode::kInvalidArgument, ::testing::HasSubstr(R"(parsing "\x01\"": invalid)")));
}

TEST(FeatureGatesTest, GateWithoutValueIsRejected) {
  EXPECT_THAT(Defaults().WithFlag("Young"),
              StatusIs(absl::StatusCode::kInvalidArgument, "missing bool value for Young"));
}

TEST(FeatureGatesTest, HelpListsWhatMayBeSet) {
  EXPECT_THAT(Defaults().HelpLines(),
              ElementsAre("AllAlpha=true|false (ALPHA - default=false)", "AllBeta=true|false (BETA - default=false)",
                          "Ripe=true|false (BETA - default=true)", "Shy=true|false (BETA - default=false)",
                          "Young=true|false (ALPHA - default=false)"));
}

TEST(FeatureGatesDeathTest, AskingForAGateThatIsNotInTheTableIsABug) {
  EXPECT_DEATH(Defaults().Enabled("Wrong"), "feature gate 'Wrong' is not in the table");
}

}  // namespace
}  // namespace kubelet_cm
