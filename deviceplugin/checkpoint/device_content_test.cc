#include "deviceplugin/checkpoint/device_content.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

DeviceEntry Entry(std::string pod, std::optional<DevicesPerNuma> devices) {
  return {.pod_uid = std::move(pod),
          .container_name = "main",
          .resource_name = "example.com/gpu",
          .devices = std::move(devices),
          .alloc_response = std::nullopt};
}

TEST(DeviceContentTest, FlatDevicesAreInTheOrderOfTheNodesAndOnce) {
  const DeviceEntry entry =
      Entry("p", DevicesPerNuma{{10, DeviceIds{"c"}}, {-1, DeviceIds{"a", "b"}}, {2, DeviceIds{"b"}}});
  EXPECT_THAT(FlatDevices(entry), ElementsAre("a", "b", "c"));
}

TEST(DeviceContentTest, FlatDevicesOfNilAreNone) {
  EXPECT_THAT(FlatDevices(Entry("p", std::nullopt)), IsEmpty());
  EXPECT_THAT(FlatDevices(Entry("p", DevicesPerNuma{{0, std::nullopt}})), IsEmpty());
}

TEST(DeviceContentTest, GroupingJoinsEntriesOfOneContainerAndResource) {
  DeviceContent content;
  content.entries = {Entry("p", DevicesPerNuma{{0, DeviceIds{"d1"}}}), Entry("q", DevicesPerNuma{{0, DeviceIds{"d2"}}}),
                     Entry("p", DevicesPerNuma{{0, DeviceIds{"d3"}}})};
  GroupEntries(&content);
  EXPECT_THAT(*content.entries, ElementsAre(Entry("p", DevicesPerNuma{{0, DeviceIds{"d1", "d3"}}}),
                                            Entry("q", DevicesPerNuma{{0, DeviceIds{"d2"}}})));
}

TEST(DeviceContentTest, GroupingLeavesNilAlone) {
  DeviceContent content;
  GroupEntries(&content);
  EXPECT_EQ(content.entries, std::nullopt);
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
