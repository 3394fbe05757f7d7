#include "deviceplugin/topology/hint_decision.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

using Ids = std::vector<std::string>;

// a and b on node 0, c and d on node 1.
class HintDecisionTest : public testing::Test {
 protected:
  HintDecision Decide(int64_t requested, const Ids& held, const Ids& available, const Ids& reusable = {}) {
    return DecideDeviceHints({.devices = devices_,
                              .machine_nodes = machine_,
                              .requested = requested,
                              .available = available,
                              .reusable = reusable},
                             held);
  }

  static TopologyHint Hint(std::initializer_list<int> nodes, bool preferred) {
    return {.nodes = NumaMask::Of(nodes), .preferred = preferred};
  }

  const std::vector<int> zero_ = {0};
  const std::vector<int> one_ = {1};
  const std::vector<int> machine_ = {0, 1};
  std::vector<HintDevice> devices_ = {{"a", zero_}, {"b", zero_}, {"c", one_}, {"d", one_}};
};

TEST_F(HintDecisionTest, WithoutADeviceOfKnownPlaceThereIsNoPreference) {
  devices_ = {{"a", {}}, {"b", {}}};
  const HintDecision decision = Decide(5, {"a"}, {});
  EXPECT_EQ(decision.reason, HintReason::kNoTopology);
  EXPECT_EQ(decision.hints, std::nullopt);
}

TEST_F(HintDecisionTest, AResourceWithoutDevicesHasNoPreference) {
  devices_ = {};
  EXPECT_EQ(Decide(1, {}, {}).reason, HintReason::kNoTopology);
}

TEST_F(HintDecisionTest, HoldingAnotherNumberThanRequestedIsImpossible) {
  for (const int64_t requested : {0, 1, 3}) {
    const HintDecision decision = Decide(requested, {"a", "b"}, {"c", "d"});
    EXPECT_EQ(decision.reason, HintReason::kRequestChanged);
    EXPECT_THAT(decision.hints, Optional(IsEmpty()));
  }
}

TEST_F(HintDecisionTest, WhatIsHeldIsHintedAtAgainWithoutWhatElseThereIs) {
  const HintDecision decision = Decide(1, {"c"}, {"a", "b", "d"}, {"a"});
  EXPECT_EQ(decision.reason, HintReason::kAlreadyHeld);
  EXPECT_THAT(decision.hints, Optional(ElementsAre(Hint({1}, true), Hint({0, 1}, false))));
}

TEST_F(HintDecisionTest, WhatIsHeldAcrossNodesIsHintedAtThoughItIsNotPreferred) {
  const HintDecision decision = Decide(2, {"b", "c"}, {});
  EXPECT_EQ(decision.reason, HintReason::kAlreadyHeld);
  EXPECT_THAT(decision.hints, Optional(ElementsAre(Hint({0, 1}, false))));
}

TEST_F(HintDecisionTest, AHeldDeviceThatIsNotListedAnyMoreLeavesNoHint) {
  const HintDecision decision = Decide(2, {"c", "gone"}, {});
  EXPECT_EQ(decision.reason, HintReason::kAlreadyHeld);
  EXPECT_THAT(decision.hints, Optional(IsEmpty()));
}

TEST_F(HintDecisionTest, TooFewDevicesLeftIsImpossible) {
  const HintDecision decision = Decide(3, {}, {"a", "b"});
  EXPECT_EQ(decision.reason, HintReason::kUnavailable);
  EXPECT_THAT(decision.hints, Optional(IsEmpty()));
}

TEST_F(HintDecisionTest, ReusableDevicesAreLeftTooButOneThatIsAlsoAvailableIsOneDevice) {
  EXPECT_EQ(Decide(3, {}, {"a", "b"}, {"c"}).reason, HintReason::kGenerated);
  EXPECT_EQ(Decide(3, {}, {"a", "b"}, {"b"}).reason, HintReason::kUnavailable);
}

TEST_F(HintDecisionTest, OtherwiseHintsAreMadeOfWhatIsLeft) {
  const HintDecision decision = Decide(2, {}, {"a", "c", "d"});
  EXPECT_EQ(decision.reason, HintReason::kGenerated);
  EXPECT_THAT(decision.hints, Optional(ElementsAre(Hint({1}, true), Hint({0, 1}, false))));
}

TEST_F(HintDecisionTest, ReusableDevicesBindTheHintsThatAreMade) {
  const HintDecision decision = Decide(2, {}, {"c", "d"}, {"a"});
  EXPECT_EQ(decision.reason, HintReason::kGenerated);
  EXPECT_THAT(decision.hints, Optional(ElementsAre(Hint({0, 1}, false))));
}

TEST_F(HintDecisionTest, EnoughDevicesOfWhichTooFewHaveAPlaceLeaveNoHintWhichIsImpossible) {
  devices_ = {{"a", zero_}, {"b", {}}};
  const HintDecision decision = Decide(2, {}, {"a", "b"});
  EXPECT_EQ(decision.reason, HintReason::kGenerated);
  EXPECT_THAT(decision.hints, Optional(IsEmpty()));
}

TEST_F(HintDecisionTest, ARequestOfNothingCanComeFromAnywhere) {
  const HintDecision decision = Decide(0, {}, {});
  EXPECT_EQ(decision.reason, HintReason::kGenerated);
  EXPECT_THAT(decision.hints, Optional(ElementsAre(Hint({0}, true), Hint({1}, true), Hint({0, 1}, false))));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
