#include "dra/plugin/device_messages.h"

#include <string>
#include <vector>

#include "dra/api/v1.pb.h"
#include "dra/api/v1beta1.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

using Names = std::vector<std::string>;

template <typename Message>
Message FullDevice() {
  Message message;
  message.set_pool_name("p");
  message.set_device_name("d");
  message.add_request_names("r");
  message.add_cdi_device_ids("v/c=d");
  return message;
}

TEST(DeviceMessagesTest, EveryFieldIsTaken) {
  auto message = FullDevice<k8s::io::kubelet::pkg::apis::dra::v1::Device>();
  EXPECT_EQ(ToClaimDevice(message).share_id, std::nullopt);
  message.set_share_id("s");
  ClaimDevice expected;
  expected.pool_name = "p";
  expected.device_name = "d";
  expected.share_id = "s";
  expected.request_names.Set({"r"});
  expected.cdi_device_ids.Set({"v/c=d"});
  EXPECT_EQ(ToClaimDevice(message), expected);
}

TEST(DeviceMessagesTest, ApiWithoutSharesHasNone) {
  const auto message = FullDevice<k8s::io::kubelet::pkg::apis::dra::v1beta1::Device>();
  EXPECT_EQ(ToClaimDevice(message).share_id, std::nullopt);
  EXPECT_EQ(ToClaimDevice(message).device_name, "d");
}

TEST(DeviceMessagesTest, EmptyListsAreNilAsGoDecodesThem) {
  const ClaimDevice device = ToClaimDevice(k8s::io::kubelet::pkg::apis::dra::v1::Device());
  EXPECT_TRUE(device.request_names.is_nil());
  EXPECT_TRUE(device.cdi_device_ids.is_nil());
}

TEST(DeviceMessagesTest, CdiNamesGatherInOneNamelessDevice) {
  std::vector<ClaimDevice> devices;
  AddCdiNames(Names(), devices);
  EXPECT_THAT(devices, SizeIs(0));
  AddCdiNames(Names{"a"}, devices);
  AddCdiNames(Names{"b", "c"}, devices);
  ASSERT_THAT(devices, SizeIs(1));
  EXPECT_EQ(devices.front().device_name, "");
  EXPECT_THAT(devices.front().cdi_device_ids, ElementsAre("a", "b", "c"));
}

}  // namespace
}  // namespace kubelet_cm::dra
