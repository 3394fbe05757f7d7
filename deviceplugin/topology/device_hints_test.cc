#include "deviceplugin/topology/device_hints.h"

#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Ids = std::vector<std::string>;

// Devices by id with their nodes, and a question about them.
struct Question {
  std::map<std::string, std::vector<int>> devices;
  std::vector<int> machine = {0, 1};
  int64_t requested = 1;
  Ids available = {};
  Ids reusable = {};
};

std::vector<HintDevice> DevicesOf(const Question& question) {
  std::vector<HintDevice> devices;
  for (const auto& [id, nodes] : question.devices) devices.push_back({.id = id, .numa_nodes = nodes});
  return devices;
}

// The hints as texts: the nodes, then + if preferred, - if not.
std::vector<std::string> HintsFor(const Question& question) {
  const std::vector<HintDevice> devices = DevicesOf(question);
  std::vector<std::string> texts;
  for (const TopologyHint& hint : GenerateDeviceHints({.devices = devices,
                                  .machine_nodes = question.machine,
                                  .requested = question.requested,
                                  .available = question.available,
                                  .reusable = question.reusable})) {
    std::string text;
    for (const int node : hint.nodes->Nodes()) absl::StrAppend(&text, text.empty() ? "" : ",", node);
    texts.push_back(text + (hint.preferred ? "+" : "-"));
  }
  return texts;
}

TEST(DeviceHintsTest, OneDeviceOnEachNodeCanComeFromEitherNode) {
  EXPECT_THAT(HintsFor({.devices = {{"a", {0}}, {"b", {1}}}, .available = {"a", "b"}}),
              ElementsAre("0+", "1+", "0,1-"));
}

TEST(DeviceHintsTest, TwoDevicesOnTwoNodesNeedBothNodesAndThatIsPreferred) {
  EXPECT_THAT(HintsFor({.devices = {{"a", {0}}, {"b", {1}}}, .requested = 2, .available = {"a", "b"}}),
              ElementsAre("0,1+"));
}

TEST(DeviceHintsTest, TwoDevicesOfOneNodeArePreferredToTwoOfTwoNodes) {
  EXPECT_THAT(HintsFor({.devices = {{"a", {0}}, {"b", {1}}, {"c", {0}}, {"d", {1}}},
                        .requested = 2,
                        .available = {"a", "b", "c", "d"}}),
              ElementsAre("0+", "1+", "0,1-"));
}

TEST(DeviceHintsTest, WhatIsTakenStillSaysHowFewNodesWouldDoSoThereMayBeNoPreferredHint) {
  EXPECT_THAT(
      HintsFor({.devices = {{"a", {0}}, {"b", {1}}, {"c", {0}}, {"d", {1}}}, .requested = 2, .available = {"c", "d"}}),
      ElementsAre("0,1-"));
}

TEST(DeviceHintsTest, ADeviceOnSeveralNodesTouchesEachOfThem) {
  EXPECT_THAT(HintsFor({.devices = {{"a", {0, 1}}, {"b", {1}}}, .requested = 2, .available = {"a", "b"}}),
              ElementsAre("1+", "0,1-"));
}

TEST(DeviceHintsTest, SmallerSetsComeFirstThenThoseWithLowerNodes) {
  EXPECT_THAT(HintsFor({.devices = {{"a", {0}}, {"b", {2}}, {"c", {5}}, {"d", {63}}},
                        .machine = {63, 5, 2, 0},
                        .available = {"a", "b", "c", "d"}}),
              ElementsAre("0+", "2+", "5+", "63+", "0,2-", "0,5-", "0,63-", "2,5-", "2,63-", "5,63-", "0,2,5-",
                          "0,2,63-", "0,5,63-", "2,5,63-", "0,2,5,63-"));
}

TEST(DeviceHintsTest, OnlyNodesThatHostDevicesAreConsideredWhateverTheirHealth) {
  // b is neither available nor reusable: unhealthy, or held by another pod.
  EXPECT_THAT(HintsFor({.devices = {{"a", {1}}, {"b", {3}}}, .machine = {0, 1, 2, 3, 4, 5, 6, 7}, .available = {"a"}}),
              ElementsAre("1+", "1,3-"));
}

TEST(DeviceHintsTest, NodesThatTheMachineDoesNotHaveAreDropped) {
  EXPECT_THAT(HintsFor({.devices = {{"a", {0, 9}}, {"b", {9}}}, .available = {"a", "b"}}), ElementsAre("0+"));
  EXPECT_THAT(HintsFor({.devices = {{"a", {0, 9}}, {"b", {9}}}, .requested = 2, .available = {"a", "b"}}), IsEmpty());
}

TEST(DeviceHintsTest, IfNoNodeOfTheMachineHostsADeviceAllOfItsNodesAreConsidered) {
  EXPECT_THAT(HintsFor({.devices = {{"a", {9}}}, .requested = 0}), ElementsAre("0+", "1+", "0,1-"));
  EXPECT_THAT(HintsFor({.devices = {{"a", {9}}}, .available = {"a"}}), IsEmpty());
}

TEST(DeviceHintsTest, ASetThatMissesAReusableDeviceIsDiscarded) {
  EXPECT_THAT(HintsFor({.devices = {{"a", {0}}, {"b", {1}}}, .available = {"a"}, .reusable = {"b"}}),
              ElementsAre("1+", "0,1-"));
  EXPECT_THAT(HintsFor({.devices = {{"a", {0}}, {"b", {1}}}, .reusable = {"a", "b"}}), ElementsAre("0,1-"));
}

TEST(DeviceHintsTest, ReusableDevicesCountTogetherWithAvailableOnes) {
  EXPECT_THAT(HintsFor({.devices = {{"a", {0}}, {"b", {0}}, {"c", {1}}},
                        .requested = 2,
                        .available = {"a", "c"},
                        .reusable = {"b"}}),
              ElementsAre("0+", "0,1-"));
}

TEST(DeviceHintsTest, AReusableDeviceWithoutTopologyIsSkippedAndNotCounted) {
  EXPECT_THAT(HintsFor({.devices = {{"a", {0}}, {"b", {}}}, .available = {"a"}, .reusable = {"b"}}), ElementsAre("0+"));
  EXPECT_THAT(HintsFor({.devices = {{"a", {0}}, {"b", {}}}, .requested = 2, .available = {"a"}, .reusable = {"b"}}),
              IsEmpty());
}

TEST(DeviceHintsTest, AReusableDeviceOnNodesOutsideTheMachineLeavesNoSet) {
  EXPECT_THAT(HintsFor({.devices = {{"a", {0}}, {"b", {9}}}, .available = {"a"}, .reusable = {"b"}}), IsEmpty());
}

TEST(DeviceHintsTest, AnAvailableDeviceWithoutTopologyTouchesNothing) {
  EXPECT_THAT(HintsFor({.devices = {{"a", {0}}, {"b", {}}}, .requested = 2, .available = {"a", "b"}}), IsEmpty());
}

// A list may have lost a device that is held: kubelets dereference null there.
TEST(DeviceHintsTest, IdsThatAreNotListedAreDevicesOfUnknownPlace) {
  Question question = {.devices = {{"b", {0}}}, .available = {"a", "b", "c"}, .reusable = {"0", "z"}};
  EXPECT_THAT(HintsFor(question), ElementsAre("0+"));
  question.requested = 2;
  EXPECT_THAT(HintsFor(question), IsEmpty());
}

TEST(DeviceHintsTest, WhatNobodyCanSatisfyHasNoHints) {
  EXPECT_THAT(HintsFor({.devices = {{"a", {0}}}, .requested = 2, .available = {"a"}}), IsEmpty());
  EXPECT_THAT(HintsFor({.devices = {{"a", {0}}}, .machine = {}, .available = {"a"}}), IsEmpty());
}

TEST(DeviceHintsTest, WithNothingRequestedEverySetWillDo) {
  EXPECT_THAT(HintsFor({.devices = {{"a", {0}}, {"b", {1}}}, .requested = 0}), ElementsAre("0+", "1+", "0,1-"));
}

TEST(DeviceHintsTest, BeyondTheBoundOnlyAllHostingNodesTogetherAreConsidered) {
  std::vector<int> machine(64);
  std::iota(machine.begin(), machine.end(), 0);
  Question question = {
      .devices = {{"a", {}}, {"b", {63}}}, .machine = machine, .requested = 2, .available = {"a", "b"}};
  for (int node = 0; node < kMostHintNodes; ++node) question.devices["a"].push_back(node);
  const std::vector<HintDevice> devices = DevicesOf(question);
  const auto hints = GenerateDeviceHints({.devices = devices,
                                          .machine_nodes = question.machine,
                                          .requested = question.requested,
                                          .available = question.available});
  ASSERT_EQ(hints.size(), 1);
  EXPECT_EQ(hints[0].nodes->Count(), kMostHintNodes + 1);
  EXPECT_TRUE(hints[0].preferred);

  question.devices.erase("b");
  question.requested = 1;
  EXPECT_EQ(HintsFor(question).size(), (size_t{1} << kMostHintNodes) - 1);
}

TEST(DeviceHintsTest, NodesNotOnTheMachineAreNamedOnceAndAscending) {
  const Question question = {.devices = {{"a", {0, 9}}, {"b", {7, 9}}, {"c", {}}}};
  EXPECT_THAT(NodesNotOnMachine(DevicesOf(question), question.machine), ElementsAre(7, 9));
  EXPECT_THAT(NodesNotOnMachine({}, question.machine), IsEmpty());
}

TEST(DeviceHintsTest, ThereIsTopologyAsSoonAsOneDeviceHasAPlace) {
  EXPECT_FALSE(HasTopology({}));
  EXPECT_FALSE(HasTopology(DevicesOf({.devices = {{"a", {}}, {"b", {}}}})));
  EXPECT_TRUE(HasTopology(DevicesOf({.devices = {{"a", {}}, {"b", {1}}}})));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
