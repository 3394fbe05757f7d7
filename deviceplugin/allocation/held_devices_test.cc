#include "deviceplugin/allocation/held_devices.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::IsEmpty;

DeviceEntry Entry(const std::string& resource, std::optional<DevicesPerNuma> devices) {
  return {"p", "c", resource, std::move(devices), ""};
}

TEST(HeldDevicesTest, AreByResourceAndIdWithTheirNode) {
  EXPECT_EQ(DevicesOf({Entry("r", DevicesPerNuma{{0, DeviceIds{"b"}}, {1, DeviceIds{"a"}}}),
                       Entry("s", DevicesPerNuma{{1, DeviceIds{"a"}}})}),
            (HeldDevices{{"r", {{"a", {1}}, {"b", {0}}}}, {"s", {{"a", {1}}}}}));
}

TEST(HeldDevicesTest, AnIdUnderSeveralNodesHasThemAll) {
  EXPECT_EQ(DevicesOf({Entry("r", DevicesPerNuma{{0, DeviceIds{"a", "a"}}, {3, DeviceIds{"a"}}})}),
            (HeldDevices{{"r", {{"a", {0, 3}}}}}));
}

TEST(HeldDevicesTest, ADeviceUnderMinusOneHasNoTopology) {
  EXPECT_EQ(DevicesOf({Entry("r", DevicesPerNuma{{-1, DeviceIds{"a"}}})}), (HeldDevices{{"r", {{"a", {}}}}}));
}

TEST(HeldDevicesTest, ResourcesWithAnEmptyNumaMapAreLeftOut) {
  EXPECT_THAT(DevicesOf({Entry("r", DevicesPerNuma{}), Entry("s", std::nullopt)}), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
