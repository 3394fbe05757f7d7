#include "dra/claim/claim_names.h"

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsNull;

const PodClaim kDirect = {.name = "direct", .object_name = "shared"};
const PodClaim kMade = {.name = "made", .object_name = "p-made-x7", .from_template = true};
const PodClaim kNotMade = {.name = "made", .object_name = {}, .from_template = true};
const PodClaim kNotNeeded = {.name = "made", .object_name = {}, .from_template = true, .not_needed = true};

Pod PodWith(std::vector<PodClaim> claims) {
  return {.uid = "u", .namespace_name = "ns", .name = "p", .claims = std::move(claims)};
}

TEST(ClaimNamesTest, ADirectNameIsTakenWithoutAnOwnerCheck) {
  EXPECT_THAT(*NamesOfClaims(PodWith({kDirect}), {}), ElementsAre(PodClaimName{"direct", "shared", false}));
}

TEST(ClaimNamesTest, AClaimFromATemplateHasTheNameOfTheStatusAndItsOwnerIsChecked) {
  EXPECT_THAT(*NamesOfClaims(PodWith({kMade}), {}), ElementsAre(PodClaimName{"made", "p-made-x7", true}));
}

TEST(ClaimNamesTest, AnEntryWhoseStatusHasNoNameIsIgnored) {
  EXPECT_THAT(*NamesOfClaims(PodWith({kNotNeeded}), {}), IsEmpty());
}

TEST(ClaimNamesTest, AnEntryWithoutAStatusIsAnErrorThatMayPass) {
  EXPECT_THAT(NamesOfClaims(PodWith({kDirect, kNotMade}), {}),
              StatusIs(absl::StatusCode::kUnavailable, R"(pod "ns/p": ResourceClaim not created yet)"));
}

TEST(ClaimNamesTest, AnEntryWithNeitherNameNorTemplateIsAnError) {
  EXPECT_THAT(NamesOfClaims(PodWith({{.name = "odd\n", .object_name = {}}}), {}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       R"(pod "ns/p", spec.resourceClaim "odd\n": none of the supported fields are set)"));
}

TEST(ClaimNamesTest, ClaimsComeInTheOrderOfThePodAndTheExtendedResourceClaimLast) {
  Pod pod = PodWith({kMade, kDirect});
  pod.extended_resource_claim = {.object_name = "special", .mappings = {}};
  const PodClaimName made{"made", "p-made-x7", true};
  const PodClaimName direct{"direct", "shared", false};
  EXPECT_THAT(*NamesOfClaims(pod, {}), ElementsAre(made, direct, PodClaimName{"", "special", false}));
  EXPECT_THAT(*NamesOfClaims(pod, {.extended_resources = false}), ElementsAre(made, direct));
}

TEST(ClaimNamesTest, ClaimsThatNoContainerUsesCountSince131) {
  Pod pod = PodWith({kMade, kDirect});
  pod.containers = {{.name = "c", .claims = {{.name = "direct", .request = ""}}}};
  EXPECT_EQ(NamesOfClaims(pod, {})->size(), 2U);
  EXPECT_THAT(*NamesOfClaims(pod, {.only_used = true}), ElementsAre(PodClaimName{"direct", "shared", false}));
}

TEST(ClaimNamesTest, Until127AContainerThatNamesAClaimUsedAllOfThePods) {
  Pod pod = PodWith({kMade, kDirect});
  const ClaimNameRules rules{.only_used = true, .any_use_is_of_all = true};
  pod.containers = {{.name = "a"}, {.name = "b"}};
  EXPECT_EQ(NamesOfClaims(pod, rules)->size(), 0U);
  pod.containers[1].claims = {{.name = "direct", .request = ""}};
  EXPECT_EQ(NamesOfClaims(pod, rules)->size(), 2U);
}

TEST(ClaimNamesTest, Until127AClaimFromATemplateIsCalledByPodAndEntry) {
  EXPECT_THAT(*NamesOfClaims(PodWith({kNotMade}), {.from_template_name = true}),
              ElementsAre(PodClaimName{"made", "p-made", false}));
}

TEST(ClaimNamesTest, EntriesAreFoundByName) {
  const Pod pod = PodWith({kMade, kDirect});
  EXPECT_EQ(FindPodClaim(pod, "direct"), &pod.claims[1]);
  EXPECT_THAT(FindPodClaim(pod, "other"), IsNull());
}

}  // namespace
}  // namespace kubelet_cm::dra
