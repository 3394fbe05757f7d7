// The names and numbers that every agent depends on, and that these files live together with others of their packages
// in one program.
#include <string>

#include "dra/api/health_v1.grpc.pb.h"
#include "dra/api/health_v1alpha1.grpc.pb.h"
#include "dra/api/v1alpha1.grpc.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kubelet_cm/podresources/api/v1.grpc.pb.h"
#include "kubelet_cm/podresources/api/v1alpha1.grpc.pb.h"

namespace kubelet_cm::podresources {
namespace {

using ::testing::StrEq;

// A field with a text or a message of less than 128 bytes.
std::string Field(int number, const std::string& bytes) {
  return std::string(1, static_cast<char>(number << 3 | 2)) + static_cast<char>(bytes.size()) + bytes;
}

TEST(WireTest, ServicesHaveTheNamesOfTheWire) {
  EXPECT_THAT(::v1::PodResourcesLister::service_full_name(), StrEq("v1.PodResourcesLister"));
  EXPECT_THAT(::v1alpha1::PodResourcesLister::service_full_name(), StrEq("v1alpha1.PodResourcesLister"));
  EXPECT_THAT(::v1::DRAResourceHealth::service_full_name(), StrEq("v1.DRAResourceHealth"));
  EXPECT_THAT(::v1alpha1::DRAResourceHealth::service_full_name(), StrEq("v1alpha1.DRAResourceHealth"));
  EXPECT_THAT(::v1alpha1::Node::service_full_name(), StrEq("v1alpha1.Node"));
}

TEST(WireTest, DevicesHaveTheNumbersOfTheWire) {
  ::v1::ContainerResources container;
  container.set_name("c");
  ::v1::ContainerDevices& devices = *container.add_devices();
  devices.set_resource_name("r");
  devices.add_device_ids("d");
  devices.mutable_topology()->add_nodes()->set_id(1);
  const std::string node_one("\x08\x01", 2);
  EXPECT_EQ(container.SerializeAsString(),
            Field(1, "c") + Field(2, Field(1, "r") + Field(2, "d") + Field(3, Field(1, node_one))));
}

TEST(WireTest, ClaimsHaveTheNumbersOfTheWire) {
  ::v1::ContainerResources container;
  ::v1::DynamicResource& claim = *container.add_dynamic_resources();
  claim.set_claim_name("c");
  claim.set_claim_namespace("n");
  ::v1::ClaimResource& device = *claim.add_claim_resources();
  device.add_cdi_devices()->set_name("v/c=0");
  device.set_driver_name("d");
  device.set_pool_name("p");
  device.set_device_name("0");
  device.set_share_id("s");
  EXPECT_EQ(container.SerializeAsString(), Field(5, Field(2, "c") + Field(3, "n") +
                                                        Field(4, Field(1, Field(1, "v/c=0")) + Field(2, "d") +
                                                                     Field(3, "p") + Field(4, "0") + Field(5, "s"))));
}

}  // namespace
}  // namespace kubelet_cm::podresources
