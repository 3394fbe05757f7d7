#include "testing/invariants/device_invariants.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/scenarios/still_node.h"

namespace kubelet_cm::invariants {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kResource[] = "example.com/device";
constexpr char kStateFile[] = "/var/lib/kubelet/device-plugins/kubelet_internal_checkpoint";

class DeviceInvariantsTest : public testing::Test {
 protected:
  DeviceInvariantsTest() {
    node_.plugins["plugin"] = kResource;
    node_.sight.resources[kResource] = {.capacity = 2, .allocatable = 2};
  }
  // The pod is admitted with these, and the kubelet shows them.
  void Give(const std::string& uid, std::set<std::string> ids) {
    oracle_.BeginAdmit({.uid = uid, .namespace_name = "default", .name = uid, .containers = {{.name = "main"}}});
    node_.sight.holdings[{uid, "main", kResource}] = std::move(ids);
    node_.sight.pods[uid] = "admitted";
    oracle_.EndAdmit(uid, true, node_.sight);
  }
  std::vector<std::string> Broken() {
    std::vector<std::string> broken;
    for (const Violation& violation : rules_.Check(node_.sight)) broken.push_back(violation.invariant);
    return broken;
  }

  scenarios::StillNode node_;
  Oracle oracle_;
  DeviceInvariants rules_{node_, oracle_};
};

TEST_F(DeviceInvariantsTest, TwoPodsWithADeviceEachAreFine) {
  Give("a", {"dev-0"});
  Give("b", {"dev-1"});
  EXPECT_THAT(Broken(), IsEmpty());
}

TEST_F(DeviceInvariantsTest, ADeviceOfTwoPodsBreaksD1) {
  Give("a", {"dev-0"});
  Give("b", {"dev-0"});
  EXPECT_THAT(Broken(), ElementsAre("D1"));
}

TEST_F(DeviceInvariantsTest, ADeviceThatIsAnotherThanWasAnsweredBreaksD3) {
  Give("a", {"dev-0"});
  node_.sight.holdings[{"a", "main", kResource}] = {"dev-1"};
  EXPECT_THAT(Broken(), ElementsAre("D3"));
}

TEST_F(DeviceInvariantsTest, AnAdmittedPodThatNobodyKnowsBreaksD3) {
  Give("a", {"dev-0"});
  node_.sight.pods.clear();
  EXPECT_THAT(Broken(), ElementsAre("D3"));
}

TEST_F(DeviceInvariantsTest, AnAllocateForWhatARunningContainerHoldsBreaksD4) {
  Give("a", {"dev-0"});
  node_.plugin_calls["plugin"].push_back({.method = "Allocate", .ids = {"dev-0"}});
  EXPECT_THAT(Broken(), IsEmpty());
  oracle_.ContainerRuns("a", "main", true);
  node_.plugin_calls["plugin"].push_back({.method = "Allocate", .ids = {"dev-0"}});
  EXPECT_THAT(Broken(), ElementsAre("D4"));
}

TEST_F(DeviceInvariantsTest, AllocatableDevicesOfAPluginThatIsGoneBreakD5) {
  node_.plugins.clear();
  EXPECT_THAT(Broken(), ElementsAre("D5"));
  node_.sight.resources[kResource].allocatable = 0;
  EXPECT_THAT(Broken(), IsEmpty());
}

TEST_F(DeviceInvariantsTest, AResourceThatGoesTooEarlyOrTooLateBreaksD5) {
  for (const absl::Duration gone : {absl::Minutes(4), absl::Minutes(6)}) {
    DeviceInvariants rules(node_, oracle_);
    node_.sight.resources[kResource] = {.capacity = 2, .allocatable = 0};
    node_.plugins.clear();
    EXPECT_THAT(rules.Check(node_.sight), IsEmpty());
    node_.elapsed += gone;
    const bool early = gone < absl::Minutes(5);
    if (early) node_.sight.resources.clear();
    ASSERT_EQ(rules.Check(node_.sight).size(), 1u) << gone;
  }
}

TEST_F(DeviceInvariantsTest, AResourceThatGoesAfterFiveMinutesIsFine) {
  node_.plugins.clear();
  node_.sight.resources[kResource] = {.capacity = 2, .allocatable = 0};
  EXPECT_THAT(Broken(), IsEmpty());
  node_.elapsed += absl::Minutes(6);
  node_.sight.resources.clear();
  EXPECT_THAT(Broken(), IsEmpty());
}

TEST_F(DeviceInvariantsTest, AStateFileThatCannotBeReadBreaksD6) {
  node_.files[kStateFile] = "{";
  EXPECT_THAT(Broken(), ElementsAre("D6"));
}

TEST_F(DeviceInvariantsTest, AStateFileThatSomebodyChangedMayBeAnything) {
  node_.files[kStateFile] = "{";
  rules_.FileChanged("devices");
  EXPECT_THAT(Broken(), IsEmpty());
}

TEST_F(DeviceInvariantsTest, WhatSomebodyHoldsWhoIsNotThereBreaksD7) {
  node_.sight.holdings[{"ghost", "main", kResource}] = {"dev-0"};
  EXPECT_THAT(Broken(), ElementsAre("D7"));
}

TEST_F(DeviceInvariantsTest, AReservationThatIsLeftBreaksD7) {
  node_.sight.reservations = 1;
  EXPECT_THAT(Broken(), ElementsAre("D7"));
}

}  // namespace
}  // namespace kubelet_cm::invariants
