#include "dra/claim/claim_resources.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "dra/claim/claim_samples.h"
#include "dra/claim/claim_table_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

// A pod with claim a of two drivers, and claim b for its extended resources.
class ClaimResourcesTest : public ClaimTableFixture {
 protected:
  void SetUp() override {
    const CallPlan plan = Reference({SampleClaim("a", {"gpu", "nic"}), SampleClaim("b")}, "u");
    ClaimDevice two_ids = SampleDevice("g0", {"r1"});
    two_ids.cdi_device_ids.Set({"v/c=z", "v/c=a"});
    two_ids.share_id = "share";
    EXPECT_OK(table_.StorePrepared(plan.calls.at("gpu")[0], {two_ids, SampleDevice("g1", {"r2"})}));
    EXPECT_OK(table_.StorePrepared(plan.calls.at("nic")[0], {SampleDevice("n0")}));
    EXPECT_OK(table_.StorePrepared(plan.calls.at("gpu")[1], {SampleDevice("e0", {"x0"}), SampleDevice("e1", {"x1"})}));
    pod_.extended_resource_claim = {
        .object_name = "b",
        .mappings = {{"c", "example.com/gpu", "x1"}, {"c", "example.com/gpu", "x0"}, {"d", "example.com/gpu", "x0"}}};
  }

  std::vector<std::string> Ids(const Container& container) {
    const auto ids = CdiDevicesOf(pod_, container, table_.claims(), {});
    EXPECT_OK(ids);
    return ids.value_or(std::vector<std::string>());
  }
  std::vector<ContainerClaimInfo> Infos(const Container& container) {
    const auto infos = ClaimInfosOf(pod_, container, table_.claims(), {});
    EXPECT_OK(infos);
    return infos.value_or(std::vector<ContainerClaimInfo>());
  }

  Pod pod_ = {.uid = "u", .namespace_name = "ns", .name = "p", .claims = {{.name = "entry", .object_name = "a"}}};
  const Container whole_ = {.name = "c", .claims = {{"entry", ""}}};
  const Container one_ = {.name = "c", .claims = {{"entry", "r2"}}};
  const Container extended_ = {.name = "c", .limits = {{"example.com/gpu", 2}}};
};

TEST_F(ClaimResourcesTest, AContainerThatUsesTheWholeClaimGetsAllDevicesInTheirOrder) {
  EXPECT_THAT(Ids(whole_), ElementsAre("v/c=z", "v/c=a", "vendor.com/class=g1", "vendor.com/class=n0"));
}

TEST_F(ClaimResourcesTest, AContainerThatNamesARequestGetsTheDevicesThatServeItOrNameNone) {
  EXPECT_THAT(Ids(one_), ElementsAre("vendor.com/class=g1", "vendor.com/class=n0"));
}

TEST_F(ClaimResourcesTest, WhatServesTwoRequestsIsThereTwice) {
  EXPECT_THAT(Ids({.name = "c", .claims = {{"entry", "r1"}, {"entry", "r2"}}}),
              ElementsAre("v/c=z", "v/c=a", "vendor.com/class=n0", "vendor.com/class=g1", "vendor.com/class=n0"));
}

TEST_F(ClaimResourcesTest, ExtendedResourcesGetTheDevicesOfTheirRequests) {
  EXPECT_THAT(Ids(extended_), ElementsAre("vendor.com/class=e1", "vendor.com/class=e0"));
}

TEST_F(ClaimResourcesTest, AContainerWithoutClaimsGetsNothing) {
  EXPECT_THAT(Ids({.name = "other"}), IsEmpty());
  EXPECT_THAT(Infos({.name = "other"}), IsEmpty());
}

TEST_F(ClaimResourcesTest, AClaimThatIsNotKnownIsAnError) {
  pod_.claims[0].object_name = "lost";
  EXPECT_THAT(CdiDevicesOf(pod_, whole_, table_.claims(), {}),
              StatusIs(absl::StatusCode::kInternal,
                       "internal error: unable to get claim info for ResourceClaim lost in namespace ns"));
  EXPECT_THAT(ClaimInfosOf(pod_, whole_, table_.claims(), {}),
              StatusIs(absl::StatusCode::kNotFound, "unable to get information for ResourceClaim lost"));
  pod_.extended_resource_claim->object_name = "gone";
  EXPECT_THAT(ClaimInfosOf(pod_, extended_, table_.claims(), {}),
              StatusIs(absl::StatusCode::kNotFound, "unable to get claim info for claim gone in namespace ns"));
}

TEST_F(ClaimResourcesTest, EachDeviceIsToldWithItsOwnCdiIds) {
  const ClaimedDevice g0{"gpu", "pool", "g0", "share", {"v/c=z", "v/c=a"}};
  const ClaimedDevice g1{"gpu", "pool", "g1", {}, {"vendor.com/class=g1"}};
  const ClaimedDevice n0{"nic", "pool", "n0", {}, {"vendor.com/class=n0"}};
  EXPECT_THAT(Infos(whole_), ElementsAre(ContainerClaimInfo{"a", "ns", "", {g0, g1, n0}}));
}

TEST_F(ClaimResourcesTest, OnlyDevicesOfTheContainersRequestsAreToldEachOnce) {
  const auto devices = Infos({.name = "c", .claims = {{"entry", "r2"}, {"entry", "r2"}}})[0].devices;
  EXPECT_THAT(devices, ElementsAre(Field(&ClaimedDevice::device_name, "g1"), Field(&ClaimedDevice::device_name, "n0")));
}

TEST_F(ClaimResourcesTest, TheClaimBehindExtendedResourcesIsToldToo) {
  const auto infos = Infos(extended_);
  ASSERT_EQ(infos.size(), 1U);
  EXPECT_EQ(infos[0].claim_name, "b");
  EXPECT_EQ(infos[0].devices.size(), 2U);
}

}  // namespace
}  // namespace kubelet_cm::dra
