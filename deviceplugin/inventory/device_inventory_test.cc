#include "deviceplugin/inventory/device_inventory.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsNull;
using ::testing::Optional;
using ::testing::Pair;

constexpr char kGpu[] = "example.com/gpu";

MonotonicTime At(absl::Duration since_start) { return MonotonicTime::FromStart(since_start); }

std::shared_ptr<const DeviceList> Healthy(const std::vector<std::string>& ids) {
  std::vector<ListedDevice> devices;
  for (const std::string& id : ids) devices.push_back({id, true});
  return DeviceList::Of(std::move(devices));
}

class DeviceInventoryTest : public ::testing::Test {
 protected:
  void Connect(InstanceId id) { inventory_.Connect(kGpu, {.id = id, .socket_path = "/p/" + std::to_string(id)}); }
  DeviceInventory::ListChange List(InstanceId id, const std::vector<std::string>& ids) {
    return inventory_.SetDevices(kGpu, id, Healthy(ids));
  }
  DeviceInventory::DisconnectChange End(InstanceId id, MonotonicTime now = At(absl::Seconds(100))) {
    return inventory_.Disconnect(kGpu, id, now);
  }
  InstanceId Primary() const {
    const std::optional<PluginInstance> primary = inventory_.Primary(kGpu);
    return primary.has_value() ? primary->id : 0;
  }
  std::vector<std::string> HealthyIds() const { return *inventory_.Registered()[kGpu]; }

  DeviceInventory inventory_;
};

TEST_F(DeviceInventoryTest, NothingIsKnownAtFirst) {
  EXPECT_FALSE(inventory_.Knows(kGpu));
  EXPECT_THAT(inventory_.Devices(kGpu), IsNull());
  EXPECT_EQ(Primary(), 0);
  EXPECT_EQ(inventory_.generation(kGpu), 0);
  EXPECT_EQ(inventory_.HealthOf(kGpu, "a"), DeviceHealth::kUnknown);
  EXPECT_EQ(inventory_.NextExpiry(), std::nullopt);
}

TEST_F(DeviceInventoryTest, AConnectedPluginIsKnownBeforeItsFirstListAndShowsNoCapacity) {
  Connect(1);
  EXPECT_TRUE(inventory_.Knows(kGpu));
  EXPECT_THAT(inventory_.Devices(kGpu)->devices(), IsEmpty());
  EXPECT_THAT(inventory_.GetCapacity(At(absl::ZeroDuration())).capacity, IsEmpty());
  EXPECT_THAT(inventory_.Registered(), IsEmpty());
}

TEST_F(DeviceInventoryTest, TheFirstListMakesTheCapacity) {
  Connect(1);
  const auto change = inventory_.SetDevices(kGpu, 1, DeviceList::Of({{"a", true}, {"b", false}}));
  EXPECT_TRUE(change.is_primary);
  EXPECT_THAT(change.health_changed, ElementsAre("a", "b"));
  EXPECT_TRUE(change.registered_changed);
  const auto capacity = inventory_.GetCapacity(At(absl::ZeroDuration()));
  EXPECT_THAT(capacity.capacity, ElementsAre(Pair(kGpu, 2)));
  EXPECT_THAT(capacity.allocatable, ElementsAre(Pair(kGpu, 1)));
  EXPECT_THAT(HealthyIds(), ElementsAre("a"));
}

TEST_F(DeviceInventoryTest, AnEmptyFirstListRegistersTheResource) {
  Connect(1);
  EXPECT_TRUE(List(1, {}).registered_changed);
  EXPECT_THAT(inventory_.GetCapacity(At(absl::ZeroDuration())).capacity, ElementsAre(Pair(kGpu, 0)));
  EXPECT_THAT(inventory_.Registered(), ElementsAre(Pair(kGpu, Optional(IsEmpty()))));
}

TEST_F(DeviceInventoryTest, TheSameListAgainChangesNothing) {
  Connect(1);
  List(1, {"a"});
  const uint64_t generation = inventory_.generation(kGpu);
  const auto change = List(1, {"a"});
  EXPECT_THAT(change.health_changed, IsEmpty());
  EXPECT_FALSE(change.registered_changed);
  EXPECT_EQ(inventory_.generation(kGpu), generation);
}

TEST_F(DeviceInventoryTest, EachListReplacesTheOneBefore) {
  Connect(1);
  List(1, {"a", "b"});
  const auto change = List(1, {"b", "c"});
  EXPECT_THAT(change.health_changed, ElementsAre("a", "c"));
  EXPECT_TRUE(change.registered_changed);
  EXPECT_EQ(inventory_.HealthOf(kGpu, "a"), DeviceHealth::kUnknown);
  EXPECT_TRUE(inventory_.IsHealthy(kGpu, "c"));
}

TEST_F(DeviceInventoryTest, ADeviceThatMovesToAnotherNumaNodeIsAnotherGeneration) {
  Connect(1);
  inventory_.SetDevices(kGpu, 1, DeviceList::Of({{"a", true, {0}}}));
  const uint64_t generation = inventory_.generation(kGpu);
  const auto change = inventory_.SetDevices(kGpu, 1, DeviceList::Of({{"a", true, {1}}}));
  EXPECT_FALSE(change.registered_changed);
  EXPECT_GT(inventory_.generation(kGpu), generation);
}

TEST_F(DeviceInventoryTest, ARollingUpdateLeavesNoGap) {
  Connect(1);
  List(1, {"a", "b"});
  Connect(2);
  EXPECT_EQ(Primary(), 2);
  EXPECT_THAT(HealthyIds(), ElementsAre("a", "b"));
  EXPECT_THAT(List(2, {"a", "b"}).health_changed, IsEmpty());
  const auto change = End(1);
  EXPECT_FALSE(change.stopped);
  EXPECT_EQ(inventory_.GetCapacity(At(absl::Hours(1))).allocatable[kGpu], 2);
}

TEST_F(DeviceInventoryTest, ASuccessorThatIsSlowToListKeepsThePictureOfOneThatHasGone) {
  Connect(1);
  List(1, {"a", "b"});
  Connect(2);
  EXPECT_THAT(End(1).health_changed, IsEmpty());
  EXPECT_THAT(HealthyIds(), ElementsAre("a", "b"));
  EXPECT_THAT(List(2, {"b"}).health_changed, ElementsAre("a"));
}

TEST_F(DeviceInventoryTest, ASuccessorThatNeverListsAndGoesLeavesThePredecessorAsItWas) {
  Connect(1);
  List(1, {"a"});
  Connect(2);
  const auto change = End(2);
  EXPECT_FALSE(change.stopped);
  EXPECT_THAT(change.health_changed, IsEmpty());
  EXPECT_EQ(Primary(), 1);
  EXPECT_THAT(HealthyIds(), ElementsAre("a"));
}

TEST_F(DeviceInventoryTest, ThePredecessorGoesOnListingUntilItsSuccessorHas) {
  Connect(1);
  List(1, {"a"});
  Connect(2);
  const auto change = List(1, {"b"});
  EXPECT_FALSE(change.is_primary);
  EXPECT_THAT(change.health_changed, ElementsAre("a", "b"));
  EXPECT_THAT(HealthyIds(), ElementsAre("b"));
}

TEST_F(DeviceInventoryTest, AnOlderInstancesListIsRememberedAndShownWhenItIsPromoted) {
  Connect(1);
  List(1, {"a"});
  Connect(2);
  List(2, {"x"});
  const uint64_t generation = inventory_.generation(kGpu);
  const auto ignored = List(1, {"b"});
  EXPECT_FALSE(ignored.is_primary);
  EXPECT_THAT(ignored.health_changed, IsEmpty());
  EXPECT_EQ(inventory_.generation(kGpu), generation);
  EXPECT_THAT(HealthyIds(), ElementsAre("x"));
  const auto promoted = End(2);
  EXPECT_THAT(promoted.health_changed, ElementsAre("b", "x"));
  EXPECT_TRUE(promoted.registered_changed);
  EXPECT_THAT(HealthyIds(), ElementsAre("b"));
}

TEST_F(DeviceInventoryTest, TheNewestOfThoseThatRemainIsPromoted) {
  for (const InstanceId id : {1, 2, 3}) {
    Connect(id);
    List(id, {std::to_string(id)});
  }
  End(3);
  EXPECT_EQ(Primary(), 2);
  EXPECT_THAT(HealthyIds(), ElementsAre("2"));
}

TEST_F(DeviceInventoryTest, OfAPluginThatHasGoneNoListIsShownWhileAnOlderOneHasSentOne) {
  for (const InstanceId id : {1, 2}) {
    Connect(id);
    List(id, {std::to_string(id)});
  }
  Connect(3);
  EXPECT_THAT(HealthyIds(), ElementsAre("2"));
  End(2);
  EXPECT_EQ(Primary(), 3);
  EXPECT_THAT(HealthyIds(), ElementsAre("1"));
}

TEST_F(DeviceInventoryTest, AnInstanceThatIsNotConnectedChangesNothing) {
  Connect(2);
  List(2, {"a"});
  const uint64_t generation = inventory_.generation(kGpu);
  EXPECT_FALSE(End(1).was_connected);
  EXPECT_THAT(List(1, {"b"}).health_changed, IsEmpty());
  EXPECT_FALSE(inventory_.Disconnect("example.com/other", 2, At(absl::ZeroDuration())).was_connected);
  EXPECT_FALSE(inventory_.SetDevices("example.com/other", 2, Healthy({"c"})).is_primary);
  EXPECT_EQ(inventory_.generation(kGpu), generation);
  EXPECT_FALSE(inventory_.Knows("example.com/other"));
}

TEST_F(DeviceInventoryTest, TheLastOneGoneMakesAllDevicesUnhealthyAtOnce) {
  Connect(1);
  inventory_.SetDevices(kGpu, 1, DeviceList::Of({{"a", true}, {"b", false}}));
  const auto change = End(1);
  EXPECT_TRUE(change.stopped);
  EXPECT_THAT(change.health_changed, ElementsAre("a", "b"));
  EXPECT_TRUE(change.registered_changed);
  EXPECT_EQ(inventory_.HealthOf(kGpu, "a"), DeviceHealth::kUnknown);
  EXPECT_EQ(inventory_.Primary(kGpu), std::nullopt);
  EXPECT_THAT(HealthyIds(), IsEmpty());
  const auto capacity = inventory_.GetCapacity(At(absl::Seconds(100)));
  EXPECT_THAT(capacity.capacity, ElementsAre(Pair(kGpu, 2)));
  EXPECT_THAT(capacity.allocatable, ElementsAre(Pair(kGpu, 0)));
  EXPECT_THAT(capacity.deleted, IsEmpty());
}

TEST_F(DeviceInventoryTest, AStoppedResourceIsKeptForFiveMinutesAndNotLonger) {
  Connect(1);
  List(1, {"a"});
  const MonotonicTime stop = At(absl::Seconds(100));
  End(1, stop);
  EXPECT_THAT(inventory_.GetCapacity(stop + absl::Minutes(5)).capacity, ElementsAre(Pair(kGpu, 1)));
  EXPECT_TRUE(inventory_.Knows(kGpu));
  ASSERT_THAT(inventory_.NextExpiry(), Optional(stop + absl::Minutes(5) + absl::Nanoseconds(1)));
  const auto capacity = inventory_.GetCapacity(*inventory_.NextExpiry());
  EXPECT_THAT(capacity.capacity, IsEmpty());
  EXPECT_THAT(capacity.deleted, ElementsAre(kGpu));
  EXPECT_FALSE(inventory_.Knows(kGpu));
}

TEST_F(DeviceInventoryTest, AResourceIsReportedDeletedOnce) {
  inventory_.RestoreStopped("example.com/b", At(absl::ZeroDuration()));
  inventory_.RestoreStopped("example.com/a", At(absl::ZeroDuration()));
  EXPECT_THAT(inventory_.RemoveExpired(At(absl::Minutes(5))), IsEmpty());
  EXPECT_THAT(inventory_.RemoveExpired(At(absl::Minutes(6))), ElementsAre("example.com/a", "example.com/b"));
  EXPECT_THAT(inventory_.GetCapacity(At(absl::Minutes(7))).deleted, ElementsAre("example.com/a", "example.com/b"));
  EXPECT_THAT(inventory_.GetCapacity(At(absl::Minutes(8))).deleted, IsEmpty());
}

TEST_F(DeviceInventoryTest, AResourceThatIsBackBeforeItsDeletionWasReportedIsNotReported) {
  inventory_.RestoreStopped(kGpu, At(absl::ZeroDuration()));
  inventory_.RemoveExpired(At(absl::Minutes(6)));
  Connect(1);
  List(1, {"a"});
  const auto capacity = inventory_.GetCapacity(At(absl::Minutes(7)));
  EXPECT_THAT(capacity.deleted, IsEmpty());
  EXPECT_THAT(capacity.capacity, ElementsAre(Pair(kGpu, 1)));
}

TEST_F(DeviceInventoryTest, APluginThatGoesBeforeItsFirstListIsKnownForTheGraceAndNeverReported) {
  Connect(1);
  End(1, At(absl::ZeroDuration()));
  EXPECT_THAT(inventory_.GetCapacity(At(absl::Minutes(5))).capacity, IsEmpty());
  EXPECT_TRUE(inventory_.Knows(kGpu));
  EXPECT_THAT(inventory_.GetCapacity(At(absl::Minutes(6))).deleted, IsEmpty());
  EXPECT_FALSE(inventory_.Knows(kGpu));
}

TEST_F(DeviceInventoryTest, APluginThatIsBackWithinTheGraceKeepsTheCapacityAndIsHealthyWithItsList) {
  Connect(1);
  List(1, {"a"});
  End(1, At(absl::ZeroDuration()));
  Connect(2);
  EXPECT_EQ(inventory_.NextExpiry(), std::nullopt);
  const auto before = inventory_.GetCapacity(At(absl::Hours(1)));
  EXPECT_THAT(before.capacity, ElementsAre(Pair(kGpu, 1)));
  EXPECT_THAT(before.allocatable, ElementsAre(Pair(kGpu, 0)));
  EXPECT_THAT(List(2, {"a"}).health_changed, ElementsAre("a"));
  EXPECT_THAT(inventory_.GetCapacity(At(absl::Hours(1))).allocatable, ElementsAre(Pair(kGpu, 1)));
}

TEST_F(DeviceInventoryTest, ARestoredResourceIsKnownWithoutDevices) {
  inventory_.RestoreStopped(kGpu, At(absl::ZeroDuration()));
  EXPECT_TRUE(inventory_.Knows(kGpu));
  EXPECT_EQ(Primary(), 0);
  EXPECT_EQ(inventory_.HealthOf(kGpu, "a"), DeviceHealth::kUnknown);
  EXPECT_THAT(inventory_.Registered(), ElementsAre(Pair(kGpu, Optional(IsEmpty()))));
  const auto capacity = inventory_.GetCapacity(At(absl::Minutes(5)));
  EXPECT_THAT(capacity.capacity, ElementsAre(Pair(kGpu, 0)));
  EXPECT_THAT(capacity.allocatable, ElementsAre(Pair(kGpu, 0)));
  EXPECT_THAT(inventory_.GetCapacity(At(absl::Minutes(5) + absl::Seconds(1))).deleted, ElementsAre(kGpu));
}

TEST_F(DeviceInventoryTest, WhatIsConnectedIsNotRestored) {
  Connect(1);
  List(1, {"a"});
  inventory_.RestoreStopped(kGpu, At(absl::ZeroDuration()));
  EXPECT_EQ(Primary(), 1);
  EXPECT_THAT(HealthyIds(), ElementsAre("a"));
  EXPECT_EQ(inventory_.NextExpiry(), std::nullopt);
}

TEST_F(DeviceInventoryTest, TheFirstExpiryIsThatOfTheResourceStoppedFirst) {
  inventory_.RestoreStopped("example.com/b", At(absl::Minutes(1)));
  inventory_.RestoreStopped("example.com/a", At(absl::Minutes(2)));
  EXPECT_THAT(inventory_.NextExpiry(), Optional(At(absl::Minutes(6) + absl::Nanoseconds(1))));
}

TEST_F(DeviceInventoryTest, AGenerationIsNeverUsedAgain) {
  inventory_.RestoreStopped(kGpu, At(absl::ZeroDuration()));
  const uint64_t generation = inventory_.generation(kGpu);
  inventory_.RemoveExpired(At(absl::Hours(1)));
  EXPECT_EQ(inventory_.generation(kGpu), 0);
  inventory_.RestoreStopped(kGpu, At(absl::Hours(1)));
  EXPECT_GT(inventory_.generation(kGpu), generation);
}

TEST_F(DeviceInventoryTest, ResourcesDoNotMix) {
  inventory_.Connect("example.com/b", {.id = 1});
  inventory_.Connect("example.com/a", {.id = 2});
  inventory_.SetDevices("example.com/b", 1, Healthy({"x"}));
  inventory_.SetDevices("example.com/a", 2, Healthy({"x", "y"}));
  inventory_.Disconnect("example.com/b", 1, At(absl::ZeroDuration()));
  EXPECT_FALSE(inventory_.IsHealthy("example.com/b", "x"));
  EXPECT_TRUE(inventory_.IsHealthy("example.com/a", "x"));
  EXPECT_THAT(inventory_.KnownResources(), ElementsAre("example.com/a", "example.com/b"));
  EXPECT_EQ(inventory_.HealthyCount("example.com/a"), 2);
}

TEST_F(DeviceInventoryTest, ConnectedInstancesAreListedOldestFirst) {
  Connect(1);
  Connect(2);
  ASSERT_EQ(inventory_.Instances(kGpu).size(), 2);
  EXPECT_EQ(inventory_.Instances(kGpu).front().socket_path, "/p/1");
  EXPECT_THAT(inventory_.Instances("example.com/other"), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
