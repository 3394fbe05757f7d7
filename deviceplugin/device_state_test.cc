#include "deviceplugin/device_state.h"

#include "deviceplugin/checkpoint/sample_content.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

TEST(DeviceStateTest, WhatWasRestoredIsHeldAndItsResourcesWaitForTheirPlugins) {
  std::vector<CheckpointProblem> problems;
  const DeviceContent content = SampleContent(2);
  DeviceState state({.format = DeviceFormat::kV2, .content = content}, MonotonicTime(), &problems);
  MutexLock lock(&state.mu);
  EXPECT_EQ(state.ledger.entry_count(), 2u);
  for (const auto& [resource, ids] : *content.registered) {
    EXPECT_TRUE(state.IsDeviceResource(resource));
    EXPECT_FALSE(state.inventory.Primary(resource).has_value());
  }
  EXPECT_FALSE(state.IsDeviceResource("cpu"));
}

TEST(DeviceStateTest, ResourcesOfAFileThatCouldNotBeReadAreKnown) {
  std::vector<CheckpointProblem> problems;
  DeviceState state({.lost_resources = {"example.com/device"}}, MonotonicTime(), &problems);
  MutexLock lock(&state.mu);
  EXPECT_TRUE(state.IsDeviceResource("example.com/device"));
  EXPECT_EQ(state.inventory.HealthyCount("example.com/device"), 0);
}

TEST(DeviceStateTest, WhatIsOddInTheFileIsReported) {
  std::vector<CheckpointProblem> problems;
  DeviceContent content = SampleContent(1);
  content.entries->push_back(content.entries->front());
  content.entries->back().pod_uid = "another pod with the same devices";
  const DeviceState state({.format = DeviceFormat::kV2, .content = content}, MonotonicTime(), &problems);
  EXPECT_THAT(problems, testing::Not(IsEmpty()));
}

TEST(DeviceStateTest, ChangesAreToldOnceAndRegisteredDevicesOnlyWhenTheyChanged) {
  std::vector<CheckpointProblem> problems;
  DeviceState state({.format = DeviceFormat::kV2, .content = SampleContent(2)}, MonotonicTime(), &problems);
  {
    MutexLock lock(&state.mu);
    state.ledger.RemovePod(SampleEntry(1).pod_uid);
    EXPECT_EQ(state.Changed(), 1u);
    EXPECT_EQ(state.RegisteredChanged(), 2u);
  }
  const DeviceChanges changes = state.TakeChanges();
  EXPECT_EQ(changes.number, 2u);
  EXPECT_THAT(changes.entries, SizeIs(1));
  EXPECT_TRUE(changes.registered.has_value());
  const DeviceChanges none = state.TakeChanges();
  EXPECT_EQ(none.number, 2u);
  EXPECT_THAT(none.entries, IsEmpty());
  EXPECT_FALSE(none.registered.has_value());
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
