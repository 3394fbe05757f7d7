#include "dra/claim/claim_use.h"

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

Container Using(std::vector<ContainerClaim> claims) { return {.name = "c", .claims = std::move(claims)}; }

Pod SamplePod() {
  return {.uid = "u",
          .namespace_name = "ns",
          .name = "p",
          .claims = {{.name = "first", .object_name = "obj-1"}, {.name = "second", .object_name = "obj-2"}}};
}

std::vector<UsedClaim> Used(const Pod& pod, const Container& container) {
  const auto used = ClaimsUsedBy(pod, container, {});
  EXPECT_OK(used);
  return used.value_or(std::vector<UsedClaim>());
}

TEST(ClaimUseTest, ClaimsComeInTheOrderOfThePodWithTheContainersRequests) {
  EXPECT_THAT(Used(SamplePod(), Using({{"second", ""}, {"first", "b"}, {"first", "a"}})),
              ElementsAre(UsedClaim{"obj-1", false, {"b", "a"}}, UsedClaim{"obj-2", false, {""}}));
}

TEST(ClaimUseTest, AContainerWithoutClaimsUsesNone) { EXPECT_THAT(Used(SamplePod(), Using({})), IsEmpty()); }

TEST(ClaimUseTest, TwoEntriesForOneObjectAreOneClaim) {
  Pod pod = SamplePod();
  pod.claims[1].object_name = "obj-1";
  EXPECT_THAT(Used(pod, Using({{"first", "a"}, {"second", "b"}})), ElementsAre(UsedClaim{"obj-1", false, {"a", "b"}}));
}

TEST(ClaimUseTest, AClaimThatIsNotNeededIsLeftOutAndOneThatIsNotMadeIsAnError) {
  Pod pod = SamplePod();
  pod.claims[0] = {.name = "first", .object_name = {}, .from_template = true, .not_needed = true};
  EXPECT_THAT(Used(pod, Using({{"first", ""}})), IsEmpty());
  pod.claims[0].not_needed = false;
  EXPECT_THAT(ClaimsUsedBy(pod, Using({{"first", ""}}), {}), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_OK(ClaimsUsedBy(pod, Using({{"second", ""}}), {}));
}

TEST(ClaimUseTest, ExtendedResourcesOfTheContainerMapToRequestsOfTheSpecialClaim) {
  Pod pod = SamplePod();
  pod.extended_resource_claim = {.object_name = "special",
                                 .mappings = {{"c", "example.com/gpu", "r0"},
                                              {"other", "example.com/gpu", "r1"},
                                              {"c", "example.com/nic", "r2"},
                                              {"c", "example.com/gpu", "r3"},
                                              {"c", "cpu", "r4"}}};
  Container container = Using({});
  container.limits = {{"cpu", 1}, {"example.com/gpu", 2}, {"example.com/nic", 0}};
  EXPECT_THAT(Used(pod, container), ElementsAre(UsedClaim{"special", true, {"r0", "r3"}}));
  container.limits["example.com/gpu"] = 0;
  EXPECT_THAT(Used(pod, container), IsEmpty());
}

TEST(ClaimUseTest, ADeviceServesTheRequestsThatItNamesOrAllIfItNamesNone) {
  EXPECT_TRUE(ServesRequest(SampleDevice("d", {"a", "b"}), "b"));
  EXPECT_FALSE(ServesRequest(SampleDevice("d", {"a", "b"}), "c"));
  EXPECT_TRUE(ServesRequest(SampleDevice("d"), "c"));
  EXPECT_TRUE(ServesRequest(SampleDevice("d", {"a"}), ""));
}

TEST(ClaimUseTest, ASubrequestBelongsToItsRequest) {
  EXPECT_TRUE(ServesRequest(SampleDevice("d", {"a/big"}), "a"));
  EXPECT_TRUE(ServesRequest(SampleDevice("d", {"a"}), "a/big"));
  EXPECT_TRUE(ServesRequest(SampleDevice("d", {"a/big"}), "a/big"));
  EXPECT_FALSE(ServesRequest(SampleDevice("d", {"a/big"}), "a/small"));
  EXPECT_FALSE(ServesRequest(SampleDevice("d", {"ab"}), "a"));
}

TEST(ClaimUseTest, ExtendedResourcesHaveADomainThatIsNotKubernetesOwnOrADeviceClass) {
  for (const char* const name : {"example.com/gpu", "deviceclass.resource.kubernetes.io/gpu", "a/b_C.d"}) {
    EXPECT_TRUE(MayBeExtendedResource(name)) << name;
  }
  for (const char* const name : {"cpu", "kubernetes.io/x", "a.kubernetes.io/x", "requests.a/b", "a/", "/b", "A/b",
                                 "a/b/c", "a/-b", "hugepages-2Mi"}) {
    EXPECT_FALSE(MayBeExtendedResource(name)) << name;
  }
  EXPECT_TRUE(MayBeExtendedResource("a/" + std::string(63, 'b')));
  EXPECT_FALSE(MayBeExtendedResource("a/" + std::string(64, 'b')));
  EXPECT_TRUE(MayBeExtendedResource(std::string(244, 'a') + "/b"));
  EXPECT_FALSE(MayBeExtendedResource(std::string(245, 'a') + "/b"));
}

}  // namespace
}  // namespace kubelet_cm::dra
