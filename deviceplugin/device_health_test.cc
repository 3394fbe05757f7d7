// Health of devices: what the node, the pods that hold them, and the state file are told when it changes.
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"

namespace kubelet_cm::deviceplugin {
namespace {

using fakes::NumberedDevices;
using harness::DeviceNode;
using harness::PodWith;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr char kResource[] = "example.com/device";
constexpr char kOther[] = "example.com/other";

class DeviceHealthTest : public testing::Test {
 protected:
  DeviceHealthTest() {
    EXPECT_OK(node_.Start());
    EXPECT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", 3)}));
    EXPECT_OK(node_.Admit(pod_));  // holds dev-0
    EXPECT_THAT(node_.pod_updates.Take(), IsEmpty());
  }
  // Makes the plugin send something, and waits until that is in the state.
  testing::AssertionResult AfterList(absl::FunctionRef<void()> send) {
    const size_t lists = node_.log.Count("Processed device updates for resource");
    send();
    return node_.Await([&] { return node_.log.Count("Processed device updates for resource") > lists; });
  }
  testing::AssertionResult AfterHealth(const std::string& id, const std::string& health) {
    return AfterList([&] { EXPECT_OK(feed().SetHealth(id, health)); });
  }
  testing::AssertionResult AfterKill() {
    node_.KillPlugin("a.sock");
    return node_.Await([&] { return node_.log.Count("Mark all resources Unhealthy for resource") == 1; });
  }
  fakes::DeviceFeed& feed() { return node_.plugin("a.sock").feed(); }
  std::string StatusOf(const Pod& pod) {
    std::vector<AllocatedResourceStatus> status;
    node_.manager().UpdateStatus(pod, pod.containers[0], &status);
    return status.empty() ? "" : status[0].devices[0].health;
  }

  DeviceNode node_;
  const Pod pod_ = PodWith("pod", {{kResource, 1}});
};

TEST_F(DeviceHealthTest, ThePodHearsOfADeviceThatTurnsUnhealthyAndHealthyAgain) {  // DS-01
  ASSERT_TRUE(AfterHealth("dev-0", "Unhealthy"));
  EXPECT_THAT(node_.pod_updates.Take(), ElementsAre("pod"));
  EXPECT_EQ(StatusOf(pod_), "Unhealthy");
  ASSERT_TRUE(AfterHealth("dev-0", "Healthy"));
  EXPECT_THAT(node_.pod_updates.Take(), ElementsAre("pod"));
  EXPECT_EQ(StatusOf(pod_), "Healthy");
}

// Upstream says nothing of a device that is not listed any more.
TEST_F(DeviceHealthTest, ThePodHearsOfADeviceThatDisappearsAndComesBack) {
  ASSERT_TRUE(AfterList([&] { feed().Publish(NumberedDevices("new-", 2)); }));
  EXPECT_THAT(node_.pod_updates.Take(), ElementsAre("pod"));
  EXPECT_EQ(StatusOf(pod_), "Unknown");
  ASSERT_TRUE(AfterList([&] { feed().Publish(NumberedDevices("dev-", 3)); }));
  EXPECT_THAT(node_.pod_updates.Take(), ElementsAre("pod"));
  EXPECT_EQ(StatusOf(pod_), "Healthy");
}

// Upstream leaves the health that was last reported.
TEST_F(DeviceHealthTest, ThePodHearsOfAPluginThatIsGoneAndBack) {
  ASSERT_TRUE(AfterKill());
  EXPECT_THAT(node_.pod_updates.Take(), ElementsAre("pod"));
  EXPECT_EQ(StatusOf(pod_), "Unknown");
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", 3)}));
  EXPECT_THAT(node_.pod_updates.Take(), ElementsAre("pod"));
  EXPECT_EQ(StatusOf(pod_), "Healthy");
}

TEST_F(DeviceHealthTest, AListWithTheSameHealthTellsNobody) {
  ASSERT_TRUE(AfterList([&] { feed().Publish(NumberedDevices("dev-", 3)); }));
  EXPECT_THAT(node_.pod_updates.Take(), IsEmpty());
}

TEST_F(DeviceHealthTest, TheSameIdOfAnotherResourceConcernsOnlyThePodsOfThatResource) {  // fixed in 1.37
  ASSERT_OK(node_.RunPlugin(kOther, "b.sock", {.devices = NumberedDevices("dev-", 1)}));
  const Pod other = PodWith("other", {{kOther, 1}});
  ASSERT_OK(node_.Admit(other));
  ASSERT_TRUE(AfterList([&] { EXPECT_OK(node_.plugin("b.sock").feed().SetHealth("dev-0", "Unhealthy")); }));
  EXPECT_THAT(node_.pod_updates.Take(), ElementsAre("other"));
  EXPECT_EQ(StatusOf(pod_), "Healthy");
  EXPECT_EQ(StatusOf(other), "Unhealthy");
}

TEST_F(DeviceHealthTest, NoNewsIsLostHoweverManyPodsNobodyHasLookedAt) {  // upstream's channel holds 100
  ASSERT_TRUE(AfterList([&] { feed().Publish(NumberedDevices("dev-", 122)); }));
  for (int i = 0; i < 120; ++i) {
    ASSERT_OK(node_.Admit(PodWith("pod-" + std::to_string(i), {{kResource, 1}})));
  }
  ASSERT_TRUE(AfterKill());
  EXPECT_THAT(node_.pod_updates.Take(), testing::SizeIs(121));
}

TEST_F(DeviceHealthTest, APodThatFailedShowsTheHealthAsLongAsItsDevicesAreNotCollected) {  // DS-02
  node_.Remove("pod");
  ASSERT_TRUE(AfterHealth("dev-0", "Unhealthy"));
  EXPECT_EQ(StatusOf(pod_), "Unhealthy");
}

TEST_F(DeviceHealthTest, AllocatableFallsByTheNumberOfUnhealthyDevicesAndComesBack) {  // DF-02 to DF-04
  ASSERT_TRUE(AfterHealth("dev-0", "Unhealthy"));
  ASSERT_TRUE(AfterHealth("dev-1", "odd"));
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 3, 1));
  ASSERT_TRUE(AfterHealth("dev-2", ""));
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 3, 0));
  ASSERT_TRUE(AfterList([&] { feed().Publish(NumberedDevices("dev-", 3)); }));
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 3, 3));
}

TEST_F(DeviceHealthTest, WithoutAHealthyDeviceNothingIsAllocatedNotEvenNone) {
  for (const char* id : {"dev-0", "dev-1", "dev-2"}) ASSERT_TRUE(AfterHealth(id, "Unhealthy"));
  constexpr char kText[] = "no healthy devices present; cannot allocate unhealthy devices example.com/device";
  EXPECT_EQ(node_.Admit(PodWith("new", {{kResource, 1}})).message(), kText);
  EXPECT_EQ(node_.Admit(PodWith("none", {{kResource, 0}})).message(), kText);
}

TEST_F(DeviceHealthTest, NoneOfAHealthyResourceIsAdmittedWithoutThePlugin) {
  ASSERT_OK(node_.Admit(PodWith("none", {{kResource, 0}})));
  EXPECT_EQ(node_.plugin("a.sock").script().CallCount(fakes::PluginMethod::kAllocate), 1);
}

TEST_F(DeviceHealthTest, APluginThatGoesIsNoReasonToWrite) {
  ASSERT_OK(node_.manager().Flush());
  const uint64_t before = node_.manager().writes().writes;
  ASSERT_TRUE(AfterKill());
  ASSERT_OK(node_.manager().Flush());
  EXPECT_EQ(node_.manager().writes().writes, before);
  EXPECT_THAT(node_.manager().AllocatableDevices(), ElementsAre(Pair(kResource, IsEmpty())));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
