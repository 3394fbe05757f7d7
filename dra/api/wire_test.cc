// The names that every driver depends on, and that all these files live together in one program.
#include <string>

#include "common/pluginregistration/pluginregistration.grpc.pb.h"
#include "dra/api/health_v1.grpc.pb.h"
#include "dra/api/health_v1alpha1.grpc.pb.h"
#include "dra/api/v1.grpc.pb.h"
#include "dra/api/v1alpha1.grpc.pb.h"
#include "dra/api/v1alpha2.grpc.pb.h"
#include "dra/api/v1alpha3.grpc.pb.h"
#include "dra/api/v1beta1.grpc.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::StrEq;

namespace dra_v1 = ::k8s::io::kubelet::pkg::apis::dra::v1;
namespace dra_v1beta1 = ::k8s::io::kubelet::pkg::apis::dra::v1beta1;

// A driver of v1alpha4, in whose answer field 1 is a message.
std::string OnTheWire(const ::v1alpha3::Device& device) {
  ::v1alpha3::NodePrepareResourceResponse response;
  response.add_devices(device.SerializeAsString());
  return response.SerializeAsString();
}

TEST(WireTest, ServicesHaveTheNamesOfTheWire) {
  EXPECT_THAT(dra_v1::DRAPlugin::service_full_name(), StrEq("k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin"));
  EXPECT_THAT(dra_v1beta1::DRAPlugin::service_full_name(), StrEq("k8s.io.kubelet.pkg.apis.dra.v1beta1.DRAPlugin"));
  EXPECT_THAT(::v1alpha3::Node::service_full_name(), StrEq("v1alpha3.Node"));
  EXPECT_THAT(::v1alpha2::Node::service_full_name(), StrEq("v1alpha2.Node"));
  EXPECT_THAT(::v1alpha1::Node::service_full_name(), StrEq("v1alpha1.Node"));
  EXPECT_THAT(::v1::DRAResourceHealth::service_full_name(), StrEq("v1.DRAResourceHealth"));
  EXPECT_THAT(::v1alpha1::DRAResourceHealth::service_full_name(), StrEq("v1alpha1.DRAResourceHealth"));
  EXPECT_THAT(::pluginregistration::Registration::service_full_name(), StrEq("pluginregistration.Registration"));
}

TEST(WireTest, DevicesOfV1Alpha4LieWhereTheNewerApisHaveThem) {
  ::v1alpha3::Device device;
  device.add_request_names("r");
  device.set_pool_name("p");
  device.set_device_name("d");
  device.add_cdi_device_ids("vendor/class=d");
  dra_v1beta1::NodePrepareResourceResponse newer;
  ASSERT_TRUE(newer.ParseFromString(OnTheWire(device)));
  ASSERT_EQ(newer.devices_size(), 1);
  EXPECT_EQ(newer.devices(0).pool_name(), "p");
  EXPECT_EQ(newer.devices(0).device_name(), "d");
  EXPECT_THAT(newer.devices(0).request_names(), ElementsAre("r"));
  EXPECT_THAT(newer.devices(0).cdi_device_ids(), ElementsAre("vendor/class=d"));
}

TEST(WireTest, ShareIdIsOnlyThereWhenItWasGiven) {
  dra_v1::Device device;
  EXPECT_FALSE(device.has_share_id());
  device.set_share_id("");
  dra_v1::Device read;
  ASSERT_TRUE(read.ParseFromString(device.SerializeAsString()));
  EXPECT_TRUE(read.has_share_id());
}

TEST(WireTest, HandleOfAClaimIsFieldFour) {
  ::v1alpha3::Claim batched;
  batched.set_resource_handle("data");
  ::v1alpha2::NodePrepareResourceRequest singular;
  ASSERT_TRUE(singular.ParseFromString(batched.SerializeAsString()));
  EXPECT_EQ(singular.resource_handle(), "data");
  ::v1alpha1::NodeUnprepareResourceRequest oldest;
  ASSERT_TRUE(oldest.ParseFromString(batched.SerializeAsString()));
  EXPECT_THAT(oldest.cdi_devices(), ElementsAre("data"));
}

}  // namespace
}  // namespace kubelet_cm::dra
