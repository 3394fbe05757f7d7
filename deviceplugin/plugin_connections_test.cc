#include "deviceplugin/plugin_connections.h"

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"

namespace kubelet_cm::deviceplugin {
namespace {

using fakes::NumberedDevices;
using fakes::PluginAct;
using fakes::PluginMethod;
using harness::DeviceNode;
using harness::PodWith;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kResource[] = "example.com/device";

class PluginConnectionsTest : public testing::Test {
 protected:
  PluginConnectionsTest() { EXPECT_OK(node_.Start()); }

  size_t Lists() const { return node_.log.Count("Processed device updates for resource"); }
  testing::AssertionResult AwaitDisconnects(size_t count) {
    return node_.Await([&] { return node_.log.Count("Device plugin disconnected") == count; });
  }

  DeviceNode node_;
};

TEST_F(PluginConnectionsTest, APluginThatIsNotThereIsRefusedWithUpstreamsText) {
  EXPECT_THAT(node_.Register(kResource, "none.sock"),
              StatusIs(absl::StatusCode::kDeadlineExceeded, "failed to dial device plugin: context deadline exceeded"));
  EXPECT_THAT(node_.manager().GetCapacity().capacity, IsEmpty());
}

TEST_F(PluginConnectionsTest, APluginWhoseOptionsFailIsNotUsed) {  // DF-01
  node_.AddPlugin("a.sock").script().At(PluginMethod::kGetOptions, 1,
                                        {.act = PluginAct::kFail, .error = absl::UnknownError("no")});
  EXPECT_THAT(node_.Register(kResource, "a.sock").message(),
              "failed to get device plugin options: rpc error: code = Unknown desc = no");
  EXPECT_EQ(node_.plugin("a.sock").script().CallCount(PluginMethod::kListAndWatch), 0);
  EXPECT_OK(node_.Register(kResource, "a.sock"));
}

TEST_F(PluginConnectionsTest, AListThatFailsAtOnceIsNotAskedForAgain) {  // DF-05
  node_.AddPlugin("a.sock").script().Always(PluginMethod::kListAndWatch, {.act = PluginAct::kFail});
  ASSERT_OK(node_.Register(kResource, "a.sock"));
  ASSERT_TRUE(AwaitDisconnects(1));
  EXPECT_EQ(node_.plugin("a.sock").script().CallCount(PluginMethod::kListAndWatch), 1);
  EXPECT_EQ(node_.manager().GetCapacity().allocatable[kResource], 0);
}

TEST_F(PluginConnectionsTest, DevicesAreUnhealthyAsSoonAsTheLastPluginIsGone) {  // DF-06, DF-07, D5
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
  node_.KillPlugin("a.sock");
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 2, 0));
}

TEST_F(PluginConnectionsTest, ASecondInstanceTakesOverWithoutAGap) {  // DM-01
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", 2)}));
  ASSERT_OK(node_.RunPlugin(kResource, "b.sock", {.devices = NumberedDevices("dev-", 3)}));
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 3, 3));
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(AwaitDisconnects(1));
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 3, 3));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 3}})));
  EXPECT_EQ(node_.plugin("b.sock").script().CallCount(PluginMethod::kAllocate), 1);
}

TEST_F(PluginConnectionsTest, OfTwoInstancesTheNewerOneIsAsked) {
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  ASSERT_OK(node_.RunPlugin(kResource, "b.sock"));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  EXPECT_EQ(node_.plugin("a.sock").script().CallCount(PluginMethod::kAllocate), 0);
  EXPECT_EQ(node_.plugin("b.sock").script().CallCount(PluginMethod::kAllocate), 1);
}

TEST_F(PluginConnectionsTest, WhatIsListedStaysUntilTheSecondInstanceHasListedItsOwn) {  // DM-02
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", 2)}));
  node_.AddPlugin("b.sock", {.devices = NumberedDevices("dev-", 3)})
      .script()
      .At(PluginMethod::kListAndWatch, 1, {.held = true});
  ASSERT_OK(node_.Register(kResource, "b.sock"));
  ASSERT_OK(node_.plugin("b.sock").script().WaitForCall(PluginMethod::kListAndWatch, 1));
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(AwaitDisconnects(1));
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
  node_.plugin("b.sock").script().Release(PluginMethod::kListAndWatch, 1);
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 3, 3));
}

TEST_F(PluginConnectionsTest, TheFirstInstanceServesOnWhenTheSecondGoesAgainWithItsOwnDevices) {  // DM-03
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", 2)}));
  ASSERT_OK(node_.RunPlugin(kResource, "b.sock", {.devices = NumberedDevices("new-", 3)}));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 3, 3));
  node_.KillPlugin("b.sock");
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-0"));
}

TEST_F(PluginConnectionsTest, APluginThatRegistersAgainOnItsSocketReplacesItself) {
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", 2)}));
  for (size_t again = 1; again <= 20; ++again) {
    ASSERT_OK(node_.Register(kResource, "a.sock"));
    ASSERT_TRUE(AwaitDisconnects(again));
    ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
  }
  // Upstream (1.37) would never hear of this one's end, nor take another.
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 0));
  EXPECT_OK(node_.RunPlugin(kResource, "a.sock"));
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
}

TEST_F(PluginConnectionsTest, TheInstanceThatConnectedLastIsTheNewestHoweverLongItTook) {
  node_.AddPlugin("slow.sock", {.devices = NumberedDevices("slow-", 1)})
      .script()
      .At(PluginMethod::kGetOptions, 1, {.held = true});
  {
    const auto slow = node_.threads.Start("slow", [&] { EXPECT_OK(node_.Register(kResource, "slow.sock")); });
    ASSERT_OK(node_.plugin("slow.sock").script().WaitForCall(PluginMethod::kGetOptions, 1));
    ASSERT_OK(node_.RunPlugin(kResource, "fast.sock", {.devices = NumberedDevices("fast-", 2)}));
    ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
    node_.plugin("slow.sock").script().Release(PluginMethod::kGetOptions, 1);
  }
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 1, 1));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("slow-0"));
}

TEST_F(PluginConnectionsTest, ARegistrationThatFailsLeavesTheEarlierOneServing) {
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  node_.plugin("a.sock").script().At(PluginMethod::kGetOptions, 2, {.act = PluginAct::kFail});
  EXPECT_FALSE(node_.Register(kResource, "a.sock").ok());
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
  node_.KillPlugin("a.sock");
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 2, 0));
}

TEST_F(PluginConnectionsTest, ADeregisteredPluginIsDisconnectedAndOthersAreNot) {
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  ASSERT_OK(node_.RunPlugin("example.com/other", "b.sock"));
  node_.manager().plugins().Deregister(kResource, "b.sock");
  node_.manager().plugins().Deregister(kResource, "a.sock");
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 2, 0));
  EXPECT_TRUE(node_.AwaitCapacity("example.com/other", 2, 2));
}

TEST_F(PluginConnectionsTest, WhatIsNotConnectedIsDeregisteredWithoutEffect) {
  node_.manager().plugins().Deregister(kResource, "a.sock");
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  node_.manager().plugins().Deregister(kResource, "b.sock");
  node_.manager().plugins().Deregister("example.com/other", "a.sock");
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
  EXPECT_EQ(node_.log.Count("Device plugin disconnected"), 0u);
}

TEST_F(PluginConnectionsTest, AListWithTooManyDevicesIsRefusedAndEndsTheConnection) {
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  node_.plugin("a.sock").feed().Publish(NumberedDevices("dev-", 100'001));
  ASSERT_TRUE(AwaitDisconnects(1));
  EXPECT_EQ(node_.log.Count("Refused the list of a device plugin"), 1u);
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 2, 0));
}

TEST_F(PluginConnectionsTest, ResourcesBeyondABoundAreRefusedUntilOthersAreForgotten) {
  node_.AddPlugin("a.sock");
  {
    DeviceState& state = node_.manager().state();
    MutexLock lock(&state.mu);
    for (size_t known = 0; known < kMaxKnownResources; ++known) {
      state.inventory.RestoreStopped(kResource + std::to_string(known), node_.clock.MonotonicNow());
    }
  }
  EXPECT_THAT(node_.Register(kResource, "a.sock"),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       "there are 1024 resources of device plugins already; no more are taken"));
  EXPECT_OK(node_.Register(kResource + std::string("7"), "a.sock"));
  node_.clock.Advance(kStoppedGrace + absl::Seconds(1));
  ASSERT_TRUE(node_.Await([&] { return node_.Register(kResource, "a.sock").ok(); }));
}

// A node whose plugins may list `bytes` of ids together, and whose file may have `file_bytes`.
absl::Status StartWithLimits(DeviceNode& node, size_t bytes, size_t file_bytes = size_t{1} << 20) {
  node.Kill();
  return node.Start("latest", {}, {.limits = {.listed_bytes = bytes, .file_bytes = file_bytes}});
}

// "dev-0" takes eight bytes of the file.
TEST_F(PluginConnectionsTest, DevicesBeyondWhatTheStateFileTakesAreRefusedAndTheOthersKept) {
  ASSERT_OK(StartWithLimits(node_, 5 * 8));
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", 3)}));
  ASSERT_OK(node_.RunPlugin("example.com/other", "b.sock", {.devices = NumberedDevices("dev-", 2)}));
  v1beta1::ListAndWatchResponse more = NumberedDevices("dev-", 4);
  more.mutable_devices(1)->set_health("Unhealthy");
  node_.plugin("a.sock").feed().Publish(more);
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 3, 2));  // the health of those that are known counts
  EXPECT_TRUE(node_.AwaitCapacity("example.com/other", 2, 2));
  EXPECT_THAT(node_.log.lines(), testing::Contains(testing::AllOf(
                                     IsLogLine(Severity::kError, "There is no room for new devices of a device plugin"),
                                     HasLogField("resource", kResource), HasLogField("refused", "1"),
                                     HasLogField("kept", "3"), HasLogField("limit", "40"))));
  EXPECT_OK(node_.manager().Flush());
}

TEST_F(PluginConnectionsTest, ThereIsRoomAgainWhenAnotherPluginListsLess) {
  ASSERT_OK(StartWithLimits(node_, 5 * 8));
  ASSERT_OK(node_.RunPlugin("example.com/other", "b.sock", {.devices = NumberedDevices("dev-", 5)}));
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", 2)}));
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 0, 0));
  node_.plugin("b.sock").feed().Publish(NumberedDevices("dev-", 3));
  ASSERT_TRUE(node_.AwaitCapacity("example.com/other", 3, 3));
  node_.plugin("a.sock").feed().Publish(NumberedDevices("dev-", 2));
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
}

// Two instances are remembered, so that each can take over.
TEST_F(PluginConnectionsTest, TheListsOfAllInstancesCountAndThoseOfPluginsThatAreGone) {
  ASSERT_OK(StartWithLimits(node_, 5 * 8));
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", 3)}));
  ASSERT_OK(node_.RunPlugin(kResource, "a2.sock", {.devices = NumberedDevices("dev-", 3)}));
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 0, 0));
  node_.KillPlugin("a2.sock");
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 3, 3));
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 3, 0));
  ASSERT_OK(node_.RunPlugin("example.com/other", "b.sock", {.devices = NumberedDevices("dev-", 3)}));
  EXPECT_TRUE(node_.AwaitCapacity("example.com/other", 0, 0));
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", 5)}));
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 5, 5));
}

TEST_F(PluginConnectionsTest, WhatPodsHoldTakesRoomOfTheListsToo) {
  ASSERT_OK(StartWithLimits(node_, 1 << 20, 1000));
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  ASSERT_OK(node_.Admit(harness::PodWith("pod", {{kResource, 1}})));
  node_.plugin("a.sock").feed().Publish(NumberedDevices("dev-", 100));
  ASSERT_TRUE(node_.log.AwaitLine("There is no room for new devices of a device plugin"));
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
}

TEST_F(PluginConnectionsTest, OddDevicesAreLoggedWithTheirCount) {
  v1beta1::ListAndWatchResponse odd = NumberedDevices("dev-", 2);
  odd.add_devices()->set_health("Healthy");
  v1beta1::Device* again = odd.add_devices();
  again->set_id("dev-0");
  again->set_health("Unhealthy");
  v1beta1::Device* wide = odd.add_devices();
  wide->set_id(std::string(64, 'x'));
  wide->set_health("Healthy");
  wide->mutable_topology()->add_nodes()->set_id(64);
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = odd}));
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 3, 2));
  EXPECT_THAT(node_.log.lines(), testing::Contains(testing::AllOf(
                                     IsLogLine(Severity::kWarning, "A device plugin sent devices that are odd"),
                                     HasLogField("resource", kResource), HasLogField("withoutID", "1"),
                                     HasLogField("repeated", "1"), HasLogField("conflictingHealth", "1"),
                                     HasLogField("longIDs", "1"), HasLogField("unknownNUMANodes", "1"))));
}

// Upstream waits as long as the plugin likes.
TEST_F(PluginConnectionsTest, APluginThatDoesNotTellItsOptionsIsRefusedAfterTenSeconds) {
  node_.AddPlugin("a.sock").script().At(PluginMethod::kGetOptions, 1, {.held = true});
  absl::Status registered;
  {
    const auto registering = node_.threads.Start("register", [&] { registered = node_.Register(kResource, "a.sock"); });
    ASSERT_OK(node_.plugin("a.sock").script().WaitForCall(PluginMethod::kGetOptions, 1));
    ASSERT_TRUE(node_.clock.AwaitAlarms(1));
    node_.clock.Advance(absl::Seconds(10));
  }
  EXPECT_THAT(registered,
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       testing::AllOf(testing::StartsWith("failed to get device plugin options: "),
                                      testing::HasSubstr("example.com/device at a.sock was not answered"))));
  EXPECT_OK(node_.Register(kResource, "a.sock"));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
