#include "dra/claim/claim_status.h"

#include <string>
#include <vector>

#include "dra/claim/claim_samples.h"
#include "dra/claim/claim_table_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

class ClaimStatusTest : public ClaimTableFixture {
 protected:
  void SetUp() override {
    ClaimDevice nameless = SampleDevice("n0", {"r2"});
    nameless.cdi_device_ids.SetNil();
    const CallPlan plan = Reference({SampleClaim("a", {"gpu", "nic"}), SampleClaim("none")}, "u");
    EXPECT_OK(table_.StorePrepared(plan.calls.at("gpu")[0], {SampleDevice("g1", {"r1"}), SampleDevice("g0", {"r1"})}));
    EXPECT_OK(table_.StorePrepared(plan.calls.at("gpu")[1], {}));
    EXPECT_OK(table_.StorePrepared(plan.calls.at("nic")[0], {nameless}));
  }
  // g0 is ill, the others are well.
  std::vector<ClaimStatus> Statuses(const Container& container, bool messages = true) {
    const auto condition = [](const DeviceName& device) {
      return device.device == "g0" ? DeviceCondition{"Unhealthy", "hot"} : DeviceCondition{"Healthy", ""};
    };
    return ClaimStatusesOf(pod_, container, table_.claims(), condition, {.messages = messages});
  }

  Pod pod_ = {.uid = "u",
              .namespace_name = "ns",
              .name = "p",
              .claims = {{.name = "entry", .object_name = "a"},
                         {.name = "empty", .object_name = "none"},
                         {.name = "lost", .object_name = "lost"},
                         {.name = "unmade", .object_name = {}, .from_template = true}}};
  const DeviceStatus g0_ = {"vendor.com/class=g0", "Unhealthy", "hot"};
  const DeviceStatus g1_ = {"vendor.com/class=g1", "Healthy", ""};
  const DeviceStatus n0_ = {"nic/pool/n0", "Healthy", ""};
};

TEST_F(ClaimStatusTest, AClaimIsListedWithAllItsDevices) {
  EXPECT_THAT(Statuses({.name = "c", .claims = {{"entry", ""}}}),
              ElementsAre(ClaimStatus{"claim:entry", {n0_, g0_, g1_}}));
}

TEST_F(ClaimStatusTest, ARequestIsListedWithItsDevicesAlsoIfASubrequestIsNamed) {
  EXPECT_THAT(Statuses({.name = "c", .claims = {{"entry", "r2"}, {"entry", "r1/big"}}}),
              ElementsAre(ClaimStatus{"claim:entry/r1/big", {g0_, g1_}}, ClaimStatus{"claim:entry/r2", {n0_}}));
}

TEST_F(ClaimStatusTest, ADeviceIsKnownByItsFirstCdiIdOrByDriverPoolAndName) {
  EXPECT_THAT(Statuses({.name = "c", .claims = {{"entry", "r2"}}})[0].resources,
              ElementsAre(Field(&DeviceStatus::resource_id, "nic/pool/n0")));
}

TEST_F(ClaimStatusTest, MessagesNeedTheirFeature) {
  const auto statuses = Statuses({.name = "c", .claims = {{"entry", "r1"}}}, false);
  EXPECT_EQ(statuses[0].resources[0], (DeviceStatus{"vendor.com/class=g0", "Unhealthy", ""}));
}

TEST_F(ClaimStatusTest, DevicesOfOneIdAreListedOnce) {
  const CallPlan plan = Reference({SampleClaim("b")}, "u");
  EXPECT_OK(table_.StorePrepared(plan.calls.at("gpu")[0], {SampleDevice("g0"), SampleDevice("g0")}));
  pod_.claims[0].object_name = "b";
  EXPECT_THAT(Statuses({.name = "c", .claims = {{"entry", ""}}}), ElementsAre(ClaimStatus{"claim:entry", {g0_}}));
}

TEST_F(ClaimStatusTest, ClaimsThatAreUnknownUnmadeOrWithoutDevicesAreLeftOut) {
  EXPECT_THAT(Statuses({.name = "c", .claims = {{"lost", ""}, {"unmade", ""}, {"nowhere", ""}, {"empty", ""}}}),
              IsEmpty());
}

TEST_F(ClaimStatusTest, OnlyAppContainersHaveIt) {
  EXPECT_THAT(Statuses({.name = "c", .kind = ContainerKind::kInit, .claims = {{"entry", ""}}}), IsEmpty());
  EXPECT_THAT(Statuses({.name = "c", .kind = ContainerKind::kSidecar, .claims = {{"entry", ""}}}), IsEmpty());
}

TEST_F(ClaimStatusTest, TheClaimBehindExtendedResourcesIsNotListed) {
  pod_.extended_resource_claim = {.object_name = "a", .mappings = {{"c", "example.com/gpu", "r1"}}};
  EXPECT_THAT(Statuses({.name = "c", .limits = {{"example.com/gpu", 1}}}), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::dra
