#include "dra/claim/claim_check.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "dra/claim/claim_samples.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Pair;

const Pod kPod = {.uid = "pod-uid", .namespace_name = "ns", .name = "p"};
const PodClaimName kByName = {"entry", "c", false};
const PodClaimName kFromTemplate = {"entry", "c", true};

AllocatedDevice Result(std::string driver, std::vector<std::string> skip = {}) {
  return {
      .request = "r", .driver = std::move(driver), .pool = "p", .device = "d", .skip_node_operations = std::move(skip)};
}

// Made for kPod, reserved for it, allocated.
ClaimObject Claim(std::vector<AllocatedDevice> results = {Result("gpu")}) {
  return {.id = {"ns", "c", "c-uid"},
          .controller = ClaimOwner{.api_group = "", .kind = "Pod", .name = "p", .uid = "pod-uid"},
          .reserved_for = {{.api_group = "", .resource = "pods", .name = "p", .uid = "pod-uid"}},
          .allocation = Allocation{.results = std::move(results)}};
}

std::vector<std::string> SkippedBy(const std::vector<AllocatedDevice>& results) {
  return AllocatedClaimOf(Claim(results), true)->drivers.at("gpu").skip_node_operations;
}

TEST(ClaimCheckTest, AClaimOfThePodIsTakenWithItsDrivers) {
  ASSERT_OK_AND_ASSIGN(const AllocatedClaim claim,
                       CheckClaim(kPod, kFromTemplate, Claim({Result("nic"), Result("gpu"), Result("nic")}), {}));
  EXPECT_EQ(claim.id, (ClaimId{"ns", "c", "c-uid"}));
  EXPECT_THAT(claim.drivers, ElementsAre(Key("gpu"), Key("nic")));
  EXPECT_THAT(claim.handles, IsEmpty());
}

TEST(ClaimCheckTest, AClaimFromATemplateMustBeControlledByThePod) {
  ClaimObject claim = Claim();
  claim.controller->uid = "other";
  const auto refused = StatusIs(absl::StatusCode::kPermissionDenied,
                                "ResourceClaim ns/c was not created for Pod ns/p (Pod is not owner)");
  EXPECT_THAT(CheckClaim(kPod, kFromTemplate, claim, {}), refused);
  claim.controller.reset();
  EXPECT_THAT(CheckClaim(kPod, kFromTemplate, claim, {}), refused);
  EXPECT_OK(CheckClaim(kPod, kByName, claim, {}));
}

TEST(ClaimCheckTest, AClaimFromATemplateMustBeInThePodsNamespace) {
  ClaimObject claim = Claim();
  claim.id.namespace_name = "other";
  EXPECT_THAT(
      CheckClaim(kPod, kFromTemplate, claim, {}),
      StatusIs(absl::StatusCode::kPermissionDenied, "ResourceClaim other/c is not in the same namespace as Pod ns/p"));
}

TEST(ClaimCheckTest, AClaimOfThePodsGroupIsThePodsToo) {
  ClaimObject claim = Claim();
  claim.controller = ClaimOwner{.api_group = "scheduling.k8s.io", .kind = "PodGroup", .name = "g", .uid = "g-uid"};
  EXPECT_OK(CheckClaim(kPod, kFromTemplate, claim, {.pod_group = "g"}));
  EXPECT_OK(CheckClaim(kPod, kFromTemplate, Claim(), {.pod_group = "g"}));
  EXPECT_THAT(CheckClaim(kPod, kFromTemplate, claim, {}), StatusIs(absl::StatusCode::kPermissionDenied));
  const auto refused =
      StatusIs(absl::StatusCode::kPermissionDenied,
               "ResourceClaim ns/c was not created for Pod ns/p (neither Pod nor PodGroup h is the owner)");
  EXPECT_THAT(CheckClaim(kPod, kFromTemplate, claim, {.pod_group = "h"}), refused);
}

TEST(ClaimCheckTest, OnlyAPodGroupOfTheSchedulingGroupIsAPodGroup) {
  ClaimObject claim = Claim();
  claim.controller = ClaimOwner{.api_group = "other.k8s.io", .kind = "PodGroup", .name = "g", .uid = "g-uid"};
  EXPECT_FALSE(CheckOwner(kPod, claim, "g").ok());
  claim.controller = ClaimOwner{.api_group = "scheduling.k8s.io", .kind = "Pod", .name = "g", .uid = "g-uid"};
  EXPECT_FALSE(CheckOwner(kPod, claim, "g").ok());
}

TEST(ClaimCheckTest, TheClaimMustBeReservedForThePod) {
  ClaimObject claim = Claim();
  claim.reserved_for[0].uid = "other";
  EXPECT_THAT(
      CheckClaim(kPod, kByName, claim, {}),
      StatusIs(absl::StatusCode::kPermissionDenied, "pod p (pod-uid) is not allowed to use ResourceClaim c (c-uid)"));
  claim.reserved_for.push_back({.api_group = "", .resource = "pods", .name = "p", .uid = "pod-uid"});
  EXPECT_OK(CheckClaim(kPod, kByName, claim, {}));
}

TEST(ClaimCheckTest, AReservationForThePodsGroupIsOneForThePod) {
  ClaimObject claim = Claim();
  claim.reserved_for = {{.api_group = "scheduling.k8s.io", .resource = "podgroups", .name = "g", .uid = "g-uid"}};
  EXPECT_OK(CheckReservation(kPod, claim, "g"));
  EXPECT_FALSE(CheckReservation(kPod, claim, "h").ok());
  EXPECT_FALSE(CheckReservation(kPod, claim, "").ok());
  claim.reserved_for[0].resource = "pods";
  EXPECT_FALSE(CheckReservation(kPod, claim, "g").ok());
}

TEST(ClaimCheckTest, TheClaimMustBeAllocated) {
  ClaimObject claim = Claim();
  claim.allocation.reset();
  EXPECT_THAT(CheckClaim(kPod, kByName, claim, {}),
              StatusIs(absl::StatusCode::kFailedPrecondition, "ResourceClaim c: not allocated"));
}

TEST(ClaimCheckTest, AccessForAdministrationIsAsGoodAsAnyOther) {
  AllocatedDevice result = Result("gpu");
  result.admin_access = true;
  EXPECT_EQ(*AllocatedClaimOf(Claim({result}), false), *AllocatedClaimOf(Claim(), false));
}

TEST(ClaimCheckTest, EverythingIsSkippedIfEveryResultOfTheDriverSkipsEverything) {
  EXPECT_THAT(SkippedBy({Result("gpu", {"*"}), Result("gpu", {"X", "*"}), Result("nic")}), ElementsAre("*"));
}

TEST(ClaimCheckTest, AnOperationIsSkippedIfEveryResultOfTheDriverNamesItOrSkipsEverything) {
  EXPECT_THAT(SkippedBy({Result("gpu", {"B", "A", "B"}), Result("gpu", {"A", "B"}), Result("gpu", {"*"})}),
              ElementsAre("A", "B"));
  EXPECT_THAT(SkippedBy({Result("gpu", {"A", "A"}), Result("gpu", {"B"})}), IsEmpty());
  EXPECT_THAT(SkippedBy({Result("gpu", {"*"}), Result("gpu")}), IsEmpty());
}

TEST(ClaimCheckTest, SkippingNeedsItsFeatureGate) {
  EXPECT_THAT(AllocatedClaimOf(Claim({Result("gpu", {"Unheard"})}), false),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "ResourceClaim c: DRAOptionalNodeOperations feature gate is disabled on kubelet"));
  EXPECT_OK(AllocatedClaimOf(Claim({Result("gpu", {"A"}), Result("gpu")}), false));
}

TEST(ClaimCheckTest, Until130TheDriversAreThoseOfTheHandles) {
  ClaimObject claim = Claim({});
  claim.driver_name = "gpu";
  claim.class_name = "class";
  claim.allocation->handles = {{"nic", "n", {}}, {"", "own", {}}};
  ASSERT_OK_AND_ASSIGN(const AllocatedClaim allocated, AllocatedClaimOf(claim, false));
  EXPECT_THAT(allocated.drivers, ElementsAre(Pair("gpu", AllocatedDriver{}), Pair("nic", AllocatedDriver{})));
  EXPECT_EQ(allocated.handles, claim.allocation->handles);
  EXPECT_EQ(allocated.driver_name, "gpu");
  EXPECT_EQ(allocated.class_name, "class");
}

TEST(ClaimCheckTest, Until130AClaimWithoutHandlesHasAnEmptyOneForItsOwnDriver) {
  ClaimObject claim = Claim({});
  claim.driver_name = "gpu";
  ASSERT_OK_AND_ASSIGN(const AllocatedClaim allocated, AllocatedClaimOf(claim, false));
  EXPECT_THAT(allocated.drivers, ElementsAre(Key("gpu")));
  EXPECT_THAT(allocated.handles, ElementsAre(ResourceHandle{}));
}

TEST(ClaimCheckTest, TheDriversThatMustBeThereAreThoseThatDoNotSkipPreparing) {
  AllocatedClaim claim = SampleClaim("a", {"all", "gpu", "nic", "prep", "unprep"});
  claim.drivers["all"].skip_node_operations = {"*"};
  claim.drivers["prep"].skip_node_operations = {"NodePrepareResources"};
  claim.drivers["unprep"].skip_node_operations = {"NodeUnprepareResources"};
  EXPECT_THAT(DriversToPrepare({claim, SampleClaim("b")}), ElementsAre("gpu", "nic", "unprep"));
}

}  // namespace
}  // namespace kubelet_cm::dra
