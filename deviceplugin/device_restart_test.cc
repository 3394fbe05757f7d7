// What becomes of pods and devices when the manager, the plugin, or both start anew, in every order.
#include "common/filesystem/file_functions.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"

namespace kubelet_cm::deviceplugin {
namespace {

using fakes::PluginMethod;
using harness::DeviceNode;
using harness::PodWith;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr char kResource[] = "example.com/device";
constexpr char kNoneHealthy[] = "no healthy devices present; cannot allocate unhealthy devices example.com/device";

// A node on which `pod_` was admitted and holds dev-0 of two devices.
class DeviceRestartTest : public testing::Test {
 protected:
  DeviceRestartTest() {
    EXPECT_OK(node_.Start());
    EXPECT_OK(node_.RunPlugin(kResource, "a.sock"));
    EXPECT_OK(node_.Admit(pod_));
  }
  // The manager is killed and starts again; `found` is what runs then.
  absl::Status Restart(NodeStart found = {}) {
    node_.Kill();
    return node_.Start("latest", std::move(found));
  }
  static NodeStart Running() { return {.running = {{"pod", "main"}}}; }
  // One init container or sidecar with a device, and "main", which wants `main_count`.
  static Pod WithInit(const std::string& uid, const std::string& name, ContainerKind kind, int64_t main_count = 1) {
    Pod pod = PodWith(uid, {});
    if (main_count > 0) pod.containers[0].limits[kResource] = main_count;
    pod.containers.insert(pod.containers.begin(), {.name = name, .kind = kind, .limits = {{kResource, 1}}});
    return pod;
  }
  // The plugin, which is still there, registers again.
  testing::AssertionResult PluginIsBack() {
    const size_t lists = node_.log.Count("Processed device updates for resource");
    const absl::Status registered = node_.Register(kResource, "a.sock");
    if (!registered.ok()) return testing::AssertionFailure() << registered;
    return node_.Await([&] { return node_.log.Count("Processed device updates for resource") > lists; });
  }
  absl::StatusOr<std::string> StateFile() { return ReadFile(node_.disk, DeviceNode::kStateFile, 1 << 20); }
  int Allocations() { return node_.plugin("a.sock").script().CallCount(PluginMethod::kAllocate); }
  std::vector<std::string> Devices() { return node_.Devices("pod", kResource); }

  DeviceNode node_;
  const Pod pod_ = PodWith("pod", {{kResource, 1}});
};

TEST_F(DeviceRestartTest, AContainerThatStartsAgainHasTheSameDevices) {  // DP-03
  ASSERT_OK_AND_ASSIGN(const auto first, node_.manager().ContainerRunOptions(pod_, pod_.containers[0]));
  EXPECT_THAT(node_.manager().ContainerRunOptions(pod_, pod_.containers[0]), IsOkAndHolds(first));
  EXPECT_EQ(Allocations(), 1);
}

TEST_F(DeviceRestartTest, ARunningContainerIsAdmittedWithoutItsPluginBeforeAllSourcesAreReady) {  // D4
  node_.pods.SetSourcesReady(false);
  ASSERT_OK(Restart(Running()));
  EXPECT_OK(node_.Admit(pod_));
  EXPECT_THAT(Devices(), ElementsAre("dev-0"));
}

TEST_F(DeviceRestartTest, ARunningContainerIsAdmittedWithoutItsPluginWhenAllSourcesAreReadyToo) {  // D4
  ASSERT_OK(Restart(Running()));
  EXPECT_OK(node_.Admit(pod_));
  EXPECT_THAT(Devices(), ElementsAre("dev-0"));
  EXPECT_EQ(Allocations(), 1);
}

TEST_F(DeviceRestartTest, ARunningContainerThatHoldsNothingIsNotExcusedOnceAllSourcesAreReady) {
  ASSERT_OK(Restart({.running = {{"other", "main"}}}));
  EXPECT_EQ(node_.Admit(PodWith("other", {{kResource, 1}})).message(), kNoneHealthy);
}

TEST_F(DeviceRestartTest, AContainerThatDoesNotRunWaitsForItsPluginAndThenHasTheSameDevices) {  // DP-05, DP-12
  ASSERT_OK(Restart());
  EXPECT_EQ(node_.Admit(pod_).message(), kNoneHealthy);
  ASSERT_TRUE(PluginIsBack());
  ASSERT_OK(node_.Admit(pod_));
  EXPECT_THAT(Devices(), ElementsAre("dev-0"));
  EXPECT_EQ(Allocations(), 1);
}

TEST_F(DeviceRestartTest, OfAPodEachContainerThatDoesNotRunWaitsForThePlugin) {
  Pod two = PodWith("two", {{kResource, 1}});
  two.containers.push_back({.name = "idle", .limits = {{"example.com/other", 1}}});
  ASSERT_OK(node_.RunPlugin("example.com/other", "b.sock"));
  ASSERT_OK(node_.Admit(two));
  ASSERT_OK(Restart({.running = {{"two", "main"}}}));
  EXPECT_THAT(node_.Admit(two).message(), HasSubstr("cannot allocate unhealthy devices example.com/other"));
}

// k/k#138446: kubelets refuse this pod, though it runs.
TEST_F(DeviceRestartTest, AnInitContainerOfAPodThatRunsHasEndedAndDoesNotWaitForThePlugin) {
  const Pod pod = WithInit("app", "setup", ContainerKind::kInit);
  ASSERT_OK(node_.Admit(pod));
  ASSERT_OK(Restart({.running = {{"app", "main"}}}));
  ASSERT_OK(node_.Admit(pod));
  EXPECT_THAT(node_.Devices("app", kResource, "setup"), ElementsAre("dev-1"));
  EXPECT_THAT(node_.Devices("app", kResource), ElementsAre("dev-1"));
}

TEST_F(DeviceRestartTest, AnInitContainerThatALaterOneHasFollowedDoesNotWaitForThePlugin) {
  Pod pod = PodWith("app", {});
  const Container setup{.name = "first", .kind = ContainerKind::kInit, .limits = {{kResource, 1}}};
  pod.containers = {setup, {.name = "second", .kind = ContainerKind::kInit}, pod.containers[0]};
  ASSERT_OK(node_.Admit(pod));
  ASSERT_OK(Restart({.running = {{"app", "second"}}}));
  EXPECT_OK(node_.Admit(pod));
}

TEST_F(DeviceRestartTest, AnInitContainerThatNoneHasFollowedWaitsForThePlugin) {
  const Pod pod = WithInit("app", "setup", ContainerKind::kInit);
  ASSERT_OK(node_.Admit(pod));
  ASSERT_OK(Restart({.running = {{"other", "main"}}}));
  EXPECT_EQ(node_.Admit(pod).message(), kNoneHealthy);
}

TEST_F(DeviceRestartTest, ASidecarThatDoesNotRunWaitsForThePluginThoughItsPodRuns) {
  const Pod pod = WithInit("app", "proxy", ContainerKind::kSidecar, 0);
  ASSERT_OK(node_.Admit(pod));
  ASSERT_OK(Restart({.running = {{"app", "main"}}}));
  EXPECT_EQ(node_.Admit(pod).message(), kNoneHealthy);
}

TEST_F(DeviceRestartTest, AfterARebootAnInitContainerWaitsForThePluginWhateverIsSaidToRun) {
  const Pod pod = WithInit("app", "setup", ContainerKind::kInit);
  ASSERT_OK(node_.Admit(pod));
  ASSERT_OK(Restart({.running = {{"app", "main"}}, .rebooted = true}));
  EXPECT_EQ(node_.Admit(pod).message(), kNoneHealthy);
}

TEST_F(DeviceRestartTest, APluginThatStartsAnewLeavesThePodItsDevice) {  // DP-06
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 0));
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  ASSERT_OK(node_.manager().ContainerRunOptions(pod_, pod_.containers[0]));
  EXPECT_THAT(Devices(), ElementsAre("dev-0"));
  EXPECT_EQ(Allocations(), 0);  // of the new one
}

TEST_F(DeviceRestartTest, WhenManagerAndPluginStartAnewThePodKeepsItsDeviceAndOthersGetTheRest) {  // DP-07
  node_.KillPlugin("a.sock");
  ASSERT_OK(Restart(Running()));
  ASSERT_OK(node_.Admit(pod_));
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  ASSERT_OK(node_.Admit(PodWith("new", {{kResource, 1}})));
  EXPECT_THAT(Devices(), ElementsAre("dev-0"));
  EXPECT_THAT(node_.Devices("new", kResource), ElementsAre("dev-1"));
}

TEST_F(DeviceRestartTest, APodThatHadEndedIsNotAdmittedAgainWithoutThePlugin) {  // DP-08
  node_.Remove("pod");
  ASSERT_OK(Restart());
  EXPECT_EQ(node_.Admit(pod_).message(), kNoneHealthy);
}

TEST_F(DeviceRestartTest, WhatPodsHeldThatWentWhileTheManagerWasDownIsFree) {  // DP-09, D7
  node_.Kill();
  node_.Remove("pod");
  ASSERT_OK(node_.Start());
  ASSERT_TRUE(PluginIsBack());
  ASSERT_OK(node_.Admit(PodWith("new", {{kResource, 2}})));
  EXPECT_THAT(Devices(), IsEmpty());
}

TEST_F(DeviceRestartTest, APodThatIsRefusedAfterARebootDoesNotKeepItsDevices) {  // DP-11
  ASSERT_OK(Restart({.running = {{"pod", "main"}}, .rebooted = true}));
  EXPECT_EQ(node_.Admit(pod_).message(), kNoneHealthy);
  node_.Remove("pod");
  ASSERT_TRUE(PluginIsBack());
  EXPECT_OK(node_.Admit(PodWith("new", {{kResource, 2}})));
}

TEST_F(DeviceRestartTest, AHeldDeviceThatComesBackUnhealthyIsRefusedWithUpstreamsText) {
  ASSERT_OK(Restart());
  ASSERT_OK(node_.plugin("a.sock").feed().SetHealth("dev-0", "Unhealthy"));
  ASSERT_TRUE(PluginIsBack());
  EXPECT_EQ(node_.Admit(pod_).message(),
            "previously allocated devices are no longer healthy; cannot allocate unhealthy devices example.com/device");
}

TEST_F(DeviceRestartTest, AResourceOfTheFileHasNoCapacityForFiveMinutesAndIsThenDeleted) {
  ASSERT_OK(Restart());
  const DeviceInventory::Capacity before = node_.manager().GetCapacity();
  EXPECT_THAT(before.capacity, ElementsAre(Pair(kResource, 0)));
  EXPECT_THAT(before.deleted, IsEmpty());
  ASSERT_TRUE(node_.clock.AwaitAlarms(1));
  node_.clock.Advance(absl::Minutes(5) + absl::Nanoseconds(1));
  EXPECT_THAT(node_.manager().GetCapacity().deleted, ElementsAre(kResource));
}

// D2: nobody takes its place silently.
TEST_F(DeviceRestartTest, AResourceThatIsDeletedButHeldIsRefusedAsUnregistered) {
  ASSERT_OK(Restart());
  ASSERT_TRUE(node_.clock.AwaitAlarms(1));
  node_.clock.Advance(absl::Minutes(5) + absl::Nanoseconds(1));
  ASSERT_THAT(node_.manager().GetCapacity().deleted, ElementsAre(kResource));
  EXPECT_EQ(node_.Admit(PodWith("new", {{kResource, 1}})).message(),
            "cannot allocate unregistered device example.com/device");
}

TEST_F(DeviceRestartTest, NRestartsLeaveTheStateFileAsItIs) {
  ASSERT_OK(node_.manager().Flush());
  ASSERT_OK_AND_ASSIGN(const std::string before, StateFile());
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(Restart(Running()));
    ASSERT_OK(node_.Admit(pod_));
    ASSERT_TRUE(PluginIsBack());
    ASSERT_OK(node_.manager().Flush());
  }
  EXPECT_THAT(StateFile(), IsOkAndHolds(before));
}

// Upstream forgets in memory only, and has the pod's devices taken again after a restart.
TEST_F(DeviceRestartTest, WhatAnAdmissionFreedReachesTheDiskThoughItWasRefused) {
  node_.Remove("pod");
  EXPECT_FALSE(node_.Admit(PodWith("greedy", {{kResource, 3}})).ok());
  EXPECT_TRUE(node_.Await([&] {
    const absl::StatusOr<std::string> file = StateFile();
    return file.ok() && file->find("\"PodUID\":\"pod\"") == std::string::npos;
  }));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
