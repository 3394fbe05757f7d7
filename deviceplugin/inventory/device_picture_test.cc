#include "deviceplugin/inventory/device_picture.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

DevicePicture Picture(std::vector<ListedDevice> devices) { return DevicePicture(DeviceList::Of(std::move(devices))); }

TEST(DevicePictureTest, HealthIsAsListed) {
  const DevicePicture picture = Picture({{"a", true}, {"b", false}});
  EXPECT_EQ(picture.HealthOf("a"), DeviceHealth::kHealthy);
  EXPECT_EQ(picture.HealthOf("b"), DeviceHealth::kUnhealthy);
  EXPECT_EQ(picture.HealthOf("c"), DeviceHealth::kUnknown);
  EXPECT_EQ(picture.healthy_count(), 1);
  EXPECT_EQ(picture.count(), 2);
  EXPECT_THAT(picture.HealthyIds(), ElementsAre("a"));
}

TEST(DevicePictureTest, DevicesOfALostPluginCountAndAreOfUnknownHealth) {
  const DevicePicture picture = Picture({{"a", true}, {"b", false}}).Lost();
  EXPECT_EQ(picture.HealthOf("a"), DeviceHealth::kUnknown);
  EXPECT_EQ(picture.HealthOf("b"), DeviceHealth::kUnknown);
  EXPECT_EQ(picture.healthy_count(), 0);
  EXPECT_EQ(picture.count(), 2);
  EXPECT_THAT(picture.HealthyIds(), IsEmpty());
}

TEST(DevicePictureTest, NothingChangesBetweenEqualPictures) {
  const DevicePicture picture = Picture({{"a", true}, {"b", false}});
  EXPECT_THAT(PictureChange::Between(picture, picture).health_changed, IsEmpty());
  EXPECT_THAT(PictureChange::Between(picture, Picture({{"a", true}, {"b", false}})).health_changed, IsEmpty());
  EXPECT_TRUE(picture == Picture({{"a", true}, {"b", false}}));
}

TEST(DevicePictureTest, ChangedAppearedAndVanishedDevicesAreTold) {
  const PictureChange change = PictureChange::Between(
      Picture({{"a", true}, {"b", true}, {"d", true}, {"f", false}}),
      Picture({{"a", true}, {"b", false}, {"c", false}, {"e", true}, {"f", false}, {"g", true}}));
  EXPECT_THAT(change.health_changed, ElementsAre("b", "c", "d", "e", "g"));
  EXPECT_TRUE(change.healthy_ids_changed);
}

TEST(DevicePictureTest, UnhealthyDevicesThatComeOrGoChangeNoHealthyId) {
  const PictureChange change =
      PictureChange::Between(Picture({{"a", true}, {"b", false}}), Picture({{"a", true}, {"c", false}}));
  EXPECT_THAT(change.health_changed, ElementsAre("b", "c"));
  EXPECT_FALSE(change.healthy_ids_changed);
}

TEST(DevicePictureTest, ANewPlaceChangesThePictureAndNoHealth) {
  const DevicePicture before = Picture({{"a", true, {0}}});
  const DevicePicture after = Picture({{"a", true, {1}}});
  EXPECT_FALSE(before == after);
  EXPECT_THAT(PictureChange::Between(before, after).health_changed, IsEmpty());
}

TEST(DevicePictureTest, LosingThePluginChangesTheHealthOfEveryDevice) {
  const DevicePicture picture = Picture({{"a", true}, {"b", false}});
  const PictureChange change = PictureChange::Between(picture, picture.Lost());
  EXPECT_THAT(change.health_changed, ElementsAre("a", "b"));
  EXPECT_TRUE(change.healthy_ids_changed);
}

TEST(DevicePictureTest, WhatWasLostAndIsListedNoMoreStaysUnknown) {
  const PictureChange change =
      PictureChange::Between(Picture({{"a", true}, {"b", true}}).Lost(), Picture({{"b", true}}));
  EXPECT_THAT(change.health_changed, ElementsAre("b"));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
