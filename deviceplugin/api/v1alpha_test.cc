#include <string>

#include "deviceplugin/api/v1alpha.grpc.pb.h"
#include "deviceplugin/api/v1alpha.pb.h"
#include "deviceplugin/api/v1beta1.pb.h"
#include "google/protobuf/descriptor.h"
#include "gtest/gtest.h"

// Inside kubelet_cm::deviceplugin, `deviceplugin::` is our own namespace: what protoc made is `::deviceplugin::`.
namespace kubelet_cm::deviceplugin {
namespace {

TEST(V1AlphaTest, ServicesHaveTheNamesOfTheWire) {
  EXPECT_EQ(std::string(::deviceplugin::Registration::service_full_name()), "deviceplugin.Registration");
  EXPECT_EQ(std::string(::deviceplugin::DevicePlugin::service_full_name()), "deviceplugin.DevicePlugin");
}

TEST(V1AlphaTest, MessagesDoNotCollideWithTheNewerApi) {
  const google::protobuf::DescriptorPool* pool = google::protobuf::DescriptorPool::generated_pool();
  EXPECT_EQ(pool->FindMessageTypeByName("deviceplugin.Device"), ::deviceplugin::Device::descriptor());
  EXPECT_EQ(pool->FindMessageTypeByName("v1beta1.Device"), ::v1beta1::Device::descriptor());
}

TEST(V1AlphaTest, AllocateAnswerKeepsTheBytesOfEitherVersion) {
  ::deviceplugin::V1Alpha2AllocateResponse newer;
  (*newer.mutable_envs())["GPU"] = "0";
  ::deviceplugin::V01AllocateResponse older;
  older.add_spec()->set_id("gpu-0");
  for (const std::string& bytes : {newer.SerializeAsString(), older.SerializeAsString()}) {
    ::deviceplugin::AllocateResponse answer;
    ASSERT_TRUE(answer.ParseFromString(bytes));
    EXPECT_EQ(answer.SerializeAsString(), bytes);
  }
}

TEST(V1AlphaTest, OlderAnswerHasItsDevicesInFieldOne) {
  ::deviceplugin::V01AllocateResponse answer;
  answer.add_spec()->set_id("a");
  EXPECT_EQ(answer.SerializeAsString(), std::string("\x0a\x03\x0a\x01\x61", 5));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
