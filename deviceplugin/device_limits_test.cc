// What is not given to pods because the state file would not hold it, or not be read again with it. What is not taken
// of plugins' lists is said by plugin_connections_test.cc, and what readers take of one entry by
// checkpoint/entry_size_test.cc.
#include <string>

#include "common/status/status_matchers.h"
#include "deviceplugin/checkpoint/device_decoder.h"
#include "deviceplugin/device_state.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"

namespace kubelet_cm::deviceplugin {
namespace {

using fakes::NumberedDevices;
using harness::DeviceNode;
using harness::PodWith;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kResource[] = "example.com/device";
constexpr char kOther[] = "example.com/other";

class DeviceLimitsTest : public testing::Test {
 protected:
  DeviceNode node_;
};

TEST_F(DeviceLimitsTest, DevicesThatWouldNotBeReadAgainAreNotGiven) {
  EXPECT_EQ(DeviceLimits().entry_bytes, kMaxDeviceEntryBytes);
  ASSERT_OK(node_.Start("latest", {}, {.limits = {.entry_bytes = 16 << 10}}));
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", 4)}));
  v1beta1::ListAndWatchResponse devices;
  for (int number = 0; number < 3; ++number) {
    v1beta1::Device& device = *devices.add_devices();
    // A byte of the id takes six of the file.
    device.set_id(std::to_string(number) + std::string(1 << 10, '\1'));
    device.set_health("Healthy");
  }
  ASSERT_OK(node_.RunPlugin(kOther, "b.sock", {.devices = devices, .allocate = [](absl::Span<const std::string>) {
                                                 return v1beta1::ContainerAllocateResponse();
                                               }}));
  EXPECT_THAT(
      node_.Admit(PodWith("one", {{kResource, 1}, {kOther, 3}})),
      StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("devices of resource example.com/other and what")));
  EXPECT_THAT(node_.Devices("one", kResource), IsEmpty());
  // Nothing of it is taken: more than this would not be left.
  ASSERT_OK(node_.Admit(PodWith("two", {{kResource, 4}, {kOther, 2}})));
  node_.Kill();
  ASSERT_OK(node_.Start());
  EXPECT_EQ(node_.manager().restore_outcome(), RecoveryOutcome::kRestored);
}

TEST_F(DeviceLimitsTest, APodForWhichTheStateFileHasNoRoomIsRefusedAndLeavesNothingBehind) {
  ASSERT_OK(node_.Start("latest", {}, {.limits = {.file_bytes = 1000}}));
  ASSERT_OK(node_.RunPlugin("example.com/many", "many.sock", {.devices = NumberedDevices("dev-", 9)}));
  ASSERT_OK(node_.Admit(PodWith("one", {{"example.com/many", 1}})));
  ASSERT_OK(node_.Admit(PodWith("two", {{"example.com/many", 1}})));
  EXPECT_THAT(node_.Admit(PodWith("three", {{"example.com/many", 1}})),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("bytes of the state file, more than 1000; no more are taken")));
  EXPECT_THAT(node_.Devices("three", "example.com/many"), IsEmpty());
  node_.Remove("one");
  EXPECT_OK(node_.Admit(PodWith("three", {{"example.com/many", 1}})));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
