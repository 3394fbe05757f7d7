#include "deviceplugin/device_manager.h"

#include "absl/strings/str_cat.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/mock_file_system.h"
#include "common/status/status_matchers.h"
#include "common/threads/notification.h"
#include "deviceplugin/device_restore.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"

namespace kubelet_cm::deviceplugin {
namespace {

using fakes::NumberedDevices;
using fakes::PluginMethod;
using harness::DeviceNode;
using harness::PodWith;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr char kResource[] = "example.com/device";

class DeviceManagerTest : public testing::Test {
 protected:
  DeviceManagerTest() { EXPECT_OK(node_.Start()); }
  absl::Status RunPlugin(int devices, int numa_nodes = 0) {
    return node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", devices, numa_nodes)});
  }

  DeviceNode node_;
};

TEST(DeviceManagerStartTest, AFolderThatIsNotAbsoluteIsRefusedWithUpstreamsText) {
  DeviceNode node;
  EXPECT_THAT(DeviceManager::New({.files = node.files,
                                  .random = node.random,
                                  .threads = node.threads,
                                  .log = node.log,
                                  .metrics = node.metrics(),
                                  .active_pods = node.pods,
                                  .pod_updates = node.pod_updates,
                                  .connect = nullptr},
                                 {.folder = "device-plugins"}, {}),
              StatusIs(absl::StatusCode::kInvalidArgument, "bad socketPath, must be an absolute path: device-plugins"));
}

TEST(DeviceManagerStartTest, WhatIsOnTheNodeIsAskedForWhenTheStateFileHasBeenRead) {
  DeviceNode node;
  bool was_read = false;
  const auto find = [&]() -> absl::StatusOr<NodeStart> {
    for (const FileOperation& done : node.faults.trace()) {
      was_read = was_read || done.path == absl::StrCat("/device-plugins/", kDeviceCheckpointKey);
    }
    return absl::DataLossError("the file of a pod is damaged");
  };
  const auto manager = DeviceManager::NewBeside({.files = node.files,
                                                 .random = node.random,
                                                 .threads = node.threads,
                                                 .log = node.log,
                                                 .metrics = node.metrics(),
                                                 .active_pods = node.pods,
                                                 .pod_updates = node.pod_updates,
                                                 .connect = nullptr},
                                                {.folder = "/device-plugins"}, find);
  EXPECT_THAT(manager, StatusIs(absl::StatusCode::kDataLoss, "the file of a pod is damaged"));
  EXPECT_TRUE(was_read);
}

TEST_F(DeviceManagerTest, CapacityCountsAllDevicesAndAllocatableTheHealthyOnes) {
  ASSERT_OK(RunPlugin(3));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 3, 3));
  ASSERT_OK(node_.plugin("a.sock").feed().SetHealth("dev-1", "Unhealthy"));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 3, 2));
  ASSERT_OK(node_.plugin("a.sock").feed().SetHealth("dev-1", "Healthy"));
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 3, 3));
}

TEST_F(DeviceManagerTest, AnUnhealthyDeviceIsNotAllocated) {
  ASSERT_OK(RunPlugin(2));
  ASSERT_OK(node_.plugin("a.sock").feed().SetHealth("dev-0", "Unhealthy"));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 1));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-1"));
}

TEST_F(DeviceManagerTest, DevicesOfADepartedPodAreFreeAgainAndTheFileForgetsThem) {
  ASSERT_OK(RunPlugin(1));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  node_.Remove("one");
  node_.manager().CollectLeftovers();
  ASSERT_OK(node_.manager().Flush());
  node_.Kill();
  ASSERT_OK(node_.Start());
  EXPECT_THAT(node_.Devices("one", kResource), IsEmpty());
}

TEST_F(DeviceManagerTest, DevicesOfAPodThatDepartsBetweenTwoContainersAreFreeForTheSecond) {
  ASSERT_OK(RunPlugin(2));
  ASSERT_OK(node_.Admit(PodWith("gone", {{kResource, 1}})));
  Pod pod = PodWith("one", {{kResource, 1}});
  pod.containers.push_back({.name = "second", .limits = {{kResource, 1}}});
  node_.pods.Add("one");
  ASSERT_OK_AND_ASSIGN(const auto allocation, node_.manager().BeginAllocation(pod));
  ASSERT_OK(allocation->Allocate(pod.containers[0], std::nullopt));
  node_.Remove("gone");
  EXPECT_OK(allocation->Allocate(pod.containers[1], std::nullopt));
  EXPECT_OK(allocation->Commit());
  EXPECT_THAT(node_.Devices("one", kResource, "second"), ElementsAre("dev-0"));
}

TEST_F(DeviceManagerTest, NothingIsCollectedBeforeAllSourcesAreReady) {
  ASSERT_OK(RunPlugin(1));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  node_.pods.SetSourcesReady(false);
  node_.Remove("one");
  node_.manager().CollectLeftovers();
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-0"));
  node_.pods.SetSourcesReady(true);
  node_.manager().CollectLeftovers();
  EXPECT_THAT(node_.Devices("one", kResource), IsEmpty());
}

TEST_F(DeviceManagerTest, AfterARestartAPodHoldsWhatItHeld) {  // DP-04
  ASSERT_OK(RunPlugin(2));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  node_.Kill();
  ASSERT_OK(node_.Start());
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-0"));
  EXPECT_EQ(node_.manager().restore_outcome(), RecoveryOutcome::kRestored);
}

TEST_F(DeviceManagerTest, AContainerThatRanThroughARestartIsAdmittedWithoutItsPlugin) {  // D4
  ASSERT_OK(RunPlugin(2));
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  node_.Kill();
  node_.pods.SetSourcesReady(false);
  ASSERT_OK(node_.Start("latest", {.running = {{"one", "main"}}}));
  EXPECT_OK(node_.Admit(pod));
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-0"));
  EXPECT_EQ(node_.plugin("a.sock").script().CallCount(PluginMethod::kAllocate), 1);
}

TEST_F(DeviceManagerTest, AfterARebootNothingRunsAndAPodWaitsForItsPlugin) {  // DP-11
  ASSERT_OK(RunPlugin(2));
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  node_.Kill();
  node_.pods.SetSourcesReady(false);
  ASSERT_OK(node_.Start("latest", {.running = {{"one", "main"}}, .rebooted = true}));
  EXPECT_THAT(node_.Admit(pod).message(),
              "no healthy devices present; cannot allocate unhealthy devices example.com/device");
}

TEST_F(DeviceManagerTest, AResourceWhosePluginIsGoneIsKnownForFiveMinutesAndThenRemoved) {
  ASSERT_OK(RunPlugin(2));
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 0));
  node_.clock.Advance(absl::Minutes(5));
  EXPECT_THAT(node_.manager().GetCapacity().capacity, ElementsAre(Pair(kResource, 2)));
  ASSERT_TRUE(node_.clock.AwaitAlarms(1));
  node_.clock.Advance(absl::Nanoseconds(1));
  ASSERT_TRUE(
      node_.Await([&] { return node_.log.Count("Removed resources whose device plugin did not come back") == 1; }));
  const DeviceInventory::Capacity after = node_.manager().GetCapacity();
  EXPECT_THAT(after.capacity, IsEmpty());
  EXPECT_THAT(after.deleted, ElementsAre(kResource));
}

TEST_F(DeviceManagerTest, PodsThatHoldADeviceHearOfItsHealth) {
  ASSERT_OK(RunPlugin(2));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  ASSERT_OK(node_.plugin("a.sock").feed().SetHealth("dev-1", "Unhealthy"));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 1));
  EXPECT_THAT(node_.pod_updates.Take(), IsEmpty());
  ASSERT_OK(node_.plugin("a.sock").feed().SetHealth("dev-0", "Unhealthy"));
  ASSERT_TRUE(node_.Await([&] { return node_.log.Count("Processed device updates for resource") == 3; }));
  EXPECT_THAT(node_.pod_updates.Take(), ElementsAre("one"));
}

TEST_F(DeviceManagerTest, ADeviceIsUnknownInThePodsStatusWhenItsPluginIsGone) {
  ASSERT_OK(RunPlugin(1));
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  std::vector<AllocatedResourceStatus> status;
  node_.manager().UpdateStatus(pod, pod.containers[0], &status);
  EXPECT_THAT(status, ElementsAre(AllocatedResourceStatus{kResource, {{"dev-0", "Healthy"}}}));
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 1, 0));
  node_.manager().UpdateStatus(pod, pod.containers[0], &status);
  EXPECT_THAT(status, ElementsAre(AllocatedResourceStatus{kResource, {{"dev-0", "Unknown"}}}));
}

TEST_F(DeviceManagerTest, AllocatableDevicesAreTheHealthyOnesWithTheirNodes) {
  ASSERT_OK(RunPlugin(2, 2));
  ASSERT_OK(node_.plugin("a.sock").feed().SetHealth("dev-0", "Unhealthy"));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 1));
  EXPECT_THAT(node_.manager().AllocatableDevices(),
              ElementsAre(Pair(kResource, ElementsAre(Pair("dev-1", ElementsAre(1))))));
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 0));
  EXPECT_THAT(node_.manager().AllocatableDevices(), ElementsAre(Pair(kResource, IsEmpty())));
}

TEST_F(DeviceManagerTest, AResourceWithoutAHealthyDeviceIsAllocatableWithNoneAndOneWithoutAListIsNotShown) {
  ASSERT_OK(RunPlugin(1));
  ASSERT_OK(node_.plugin("a.sock").feed().SetHealth("dev-0", "Unhealthy"));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 1, 0));
  node_.AddPlugin("b.sock").script().At(PluginMethod::kListAndWatch, 1, {.held = true});
  ASSERT_OK(node_.Register("example.com/silent", "b.sock"));
  EXPECT_THAT(node_.manager().AllocatableDevices(), ElementsAre(Pair(kResource, IsEmpty())));
  EXPECT_THAT(node_.manager().GetCapacity().capacity, ElementsAre(Pair(kResource, 1)));
}

TEST_F(DeviceManagerTest, AllocatableIsRaisedForAPodThatHasItsDevices) {
  ASSERT_OK(RunPlugin(2));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 2}})));
  EXPECT_EQ(node_.manager().RaiseAllocatable("other", {{kResource, 0}}), std::nullopt);
  EXPECT_THAT(node_.manager().RaiseAllocatable("one", {{kResource, 0}}),
              testing::Optional(ElementsAre(Pair(kResource, 2))));
}

TEST_F(DeviceManagerTest, AListThatChangesNothingIsNotWritten) {
  ASSERT_OK(RunPlugin(2));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
  ASSERT_OK(node_.manager().Flush());
  const CheckpointWriterCounts before = node_.manager().writes();
  node_.plugin("a.sock").feed().Publish(NumberedDevices("dev-", 2));
  ASSERT_TRUE(node_.Await([&] { return node_.log.Count("Processed device updates for resource") == 2; }));
  ASSERT_OK(node_.manager().Flush());
  EXPECT_EQ(node_.manager().writes().writes, before.writes);
}

TEST_F(DeviceManagerTest, ANodeWithoutAStateFileIsFresh) {
  EXPECT_EQ(node_.manager().restore_outcome(), RecoveryOutcome::kFresh);
  ASSERT_OK(RunPlugin(1));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  node_.Kill();
  ASSERT_OK(node_.Start());
  EXPECT_EQ(node_.manager().restore_outcome(), RecoveryOutcome::kRestored);
}

TEST_F(DeviceManagerTest, APluginForWhoseListsThereIsNoThreadIsWaitedForAndSaidAndHoldsUpNobodyElse) {
  ASSERT_OK(node_.RunPlugin("example.com/other", "b.sock"));
  node_.AddPlugin("a.sock");
  node_.manager_threads.RunOut();
  auto registering = node_.threads.Start("register", [&] { EXPECT_OK(node_.Register(kResource, "a.sock")); });
  ASSERT_TRUE(node_.log.AwaitLine("The system has no thread to give; waiting until it has"));
  EXPECT_OK(node_.Admit(PodWith("one", {{"example.com/other", 1}})));
  EXPECT_THAT(node_.Admit(PodWith("two", {{kResource, 1}})).message(), HasSubstr("no healthy devices present"));
  node_.manager_threads.Replenish();
  registering.reset();
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
  EXPECT_EQ(node_.log.Count("The system has given the thread"), 1u);
}

TEST_F(DeviceManagerTest, ManagersInOneProcessShareNothing) {
  DeviceNode other;
  ASSERT_OK(other.Start("1.19", {}, {.cdi_devices = false}));
  ASSERT_OK(RunPlugin(1));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  EXPECT_THAT(other.manager().GetCapacity().capacity, IsEmpty());
  EXPECT_THAT(other.metrics().Text(), testing::Not(HasSubstr("example.com/device")));
}

TEST_F(DeviceManagerTest, AllocationsAreTimedByResource) {
  ASSERT_OK(RunPlugin(1));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  const std::string text = node_.metrics().Text();
  EXPECT_THAT(text, HasSubstr("kubelet_device_plugin_alloc_duration_seconds_count{"
                              "resource_name=\"example.com/device\"} 1"));
  for (const char* limit : {"0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "10", "+Inf"}) {
    EXPECT_THAT(text, HasSubstr(absl::StrCat("kubelet_device_plugin_alloc_duration_seconds_bucket{resource_name="
                                             "\"example.com/device\",le=\"",
                                             limit, "\"} 1")));
  }
}

// Asks for everything that is listed of pod "one", which holds one device, and of its resource.
void ListAll(DeviceManager& manager) {
  const Pod pod = PodWith("one", {{kResource, 1}});
  EXPECT_THAT(manager.GetCapacity().capacity, testing::Contains(testing::Key(kResource)));
  manager.AllocatableDevices();
  EXPECT_EQ(manager.ContainerDevices("one", "main")[kResource].size(), 1u);
  EXPECT_EQ(manager.hints().ContainerHints(pod, pod.containers[0]).size(), 1u);
  EXPECT_EQ(manager.hints().PodHints(pod).size(), 1u);
  EXPECT_TRUE(manager.RaiseAllocatable("one", {{kResource, 0}}).has_value());
  std::vector<AllocatedResourceStatus> status;
  manager.UpdateStatus(pod, pod.containers[0], &status);
  EXPECT_EQ(status.size(), 1u);
}

TEST_F(DeviceManagerTest, NothingThatIsListedWaitsForAPlugin) {
  ASSERT_OK(RunPlugin(3, 1));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  fakes::PluginScript& script = node_.plugin("a.sock").script();
  script.At(PluginMethod::kAllocate, 2, {.held = true});
  const auto asked = node_.threads.Start("asked", [&] { EXPECT_OK(node_.Admit(PodWith("two", {{kResource, 1}}))); });
  ASSERT_OK(script.WaitForCall(PluginMethod::kAllocate, 2));
  ListAll(node_.manager());
  script.Release(PluginMethod::kAllocate, 2);
}

TEST_F(DeviceManagerTest, NothingThatIsListedWaitsForTheDisk) {
  ASSERT_OK(RunPlugin(2));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  ASSERT_OK(node_.Admit(PodWith("gone", {{kResource, 1}})));
  ASSERT_OK_AND_ASSIGN(const std::string state, ReadFile(node_.disk, DeviceNode::kStateFile, 1 << 20));
  node_.Kill();
  testing::NiceMock<MockFileSystem> disk;
  ASSERT_OK(disk.fake().MakeFolders(DeviceNode::kFolder, 0755));
  ASSERT_OK_AND_ASSIGN(const auto file, disk.fake().Open(DeviceNode::kStateFile, OpenMode::kCreate, 0600));
  ASSERT_OK(file->Write(state));
  ASSERT_OK(file->Close());
  Notification writing(node_.threads, "a write");
  Notification go_on(node_.threads, "the disk");
  ON_CALL(disk, Rename).WillByDefault([&](const std::string& from, const std::string& to) {
    writing.Notify();
    go_on.Wait();
    return disk.fake().Rename(from, to);
  });
  MetricsRegistry metrics;
  ASSERT_OK_AND_ASSIGN(const auto manager, DeviceManager::New({.files = disk,
                                                               .random = node_.random,
                                                               .threads = node_.threads,
                                                               .log = node_.log,
                                                               .metrics = metrics,
                                                               .active_pods = node_.pods,
                                                               .pod_updates = node_.pod_updates,
                                                               .connect = nullptr},
                                                              {.folder = DeviceNode::kFolder}, {}));
  node_.Remove("gone");
  manager->CollectLeftovers();
  writing.Wait();
  ListAll(*manager);
  go_on.Notify();
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
