#include "deviceplugin/allocation/device_status.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Container kApp{.name = "c"};

DeviceEntry Entry(const std::string& resource, DevicesPerNuma devices) {
  return {"p", "c", resource, std::move(devices), ""};
}

// Ids tell their health.
DeviceHealth ByName(const std::string& /*resource*/, std::string_view id) {
  if (id == "good") return DeviceHealth::kHealthy;
  return id == "bad" ? DeviceHealth::kUnhealthy : DeviceHealth::kUnknown;
}

TEST(DeviceStatusTest, HasTheHealthOfEachDeviceSortedById) {
  std::vector<AllocatedResourceStatus> statuses;
  UpdateDeviceStatus(kApp, {Entry("r", {{0, DeviceIds{"good", "bad"}}, {1, DeviceIds{"good"}}})}, ByName, &statuses);
  EXPECT_THAT(statuses, ElementsAre(AllocatedResourceStatus{"r", {{"bad", "Unhealthy"}, {"good", "Healthy"}}}));
}

TEST(DeviceStatusTest, ADeviceThatNobodyAnswersForIsUnknown) {
  std::vector<AllocatedResourceStatus> statuses;
  UpdateDeviceStatus(kApp, {Entry("r", {{0, DeviceIds{"gone"}}})}, ByName, &statuses);
  EXPECT_THAT(statuses, ElementsAre(AllocatedResourceStatus{"r", {{"gone", "Unknown"}}}));
}

TEST(DeviceStatusTest, HealthIsAskedForTheDevicesOwnResource) {
  std::vector<AllocatedResourceStatus> statuses;
  const auto health_of = [](const std::string& resource, std::string_view) {
    return resource == "r" ? DeviceHealth::kHealthy : DeviceHealth::kUnhealthy;
  };
  UpdateDeviceStatus(kApp, {Entry("r", {{0, DeviceIds{"a"}}}), Entry("s", {{0, DeviceIds{"a"}}})}, health_of,
                     &statuses);
  EXPECT_THAT(statuses, ElementsAre(AllocatedResourceStatus{"r", {{"a", "Healthy"}}},
                                    AllocatedResourceStatus{"s", {{"a", "Unhealthy"}}}));
}

TEST(DeviceStatusTest, AnEntryWithTheSameNameIsReplacedAndOthersStay) {
  std::vector<AllocatedResourceStatus> statuses = {{"r", {{"old", "Healthy"}}}, {"claim:x", {{"y", "Healthy"}}}};
  UpdateDeviceStatus(kApp, {Entry("r", {{0, DeviceIds{"bad"}}}), Entry("s", {{0, DeviceIds{"good"}}})}, ByName,
                     &statuses);
  EXPECT_THAT(statuses, ElementsAre(AllocatedResourceStatus{"r", {{"bad", "Unhealthy"}}},
                                    AllocatedResourceStatus{"claim:x", {{"y", "Healthy"}}},
                                    AllocatedResourceStatus{"s", {{"good", "Healthy"}}}));
}

TEST(DeviceStatusTest, InitContainersAndSidecarsShowNothing) {
  for (const ContainerKind kind : {ContainerKind::kInit, ContainerKind::kSidecar}) {
    std::vector<AllocatedResourceStatus> statuses;
    UpdateDeviceStatus({.name = "c", .kind = kind}, {Entry("r", {{0, DeviceIds{"good"}}})}, ByName, &statuses);
    EXPECT_THAT(statuses, IsEmpty());
  }
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
