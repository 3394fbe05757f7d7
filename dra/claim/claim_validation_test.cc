#include "dra/claim/claim_validation.h"

#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::HasSubstr;

ClaimObject Sample() {
  return {
      .id = {"ns", "name", "uid"},
      .reserved_for = {{.api_group = "", .resource = "pods", .name = "p", .uid = "u"}},
      .allocation = Allocation{.results = {{.request = "r", .driver = "gpu.example.com", .pool = "p", .device = "d"}}}};
}

auto Names(const std::string& field) { return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(field)); }

TEST(ClaimValidationTest, AClaimAsTheApiServerHasItIsFine) { EXPECT_OK(ValidateClaim(Sample())); }

TEST(ClaimValidationTest, NamesAreThoseOfObjects) {
  for (const char* const name : {"a", "a-b.c9", "0"}) EXPECT_TRUE(IsDnsSubdomain(name)) << name;
  for (const char* const name : {"", ".", "a.", ".a", "a..b", "-a", "a-", "a.-b", "a-.b", "A", "a/b", "a_b", "a b"}) {
    EXPECT_FALSE(IsDnsSubdomain(name)) << name;
  }
  EXPECT_TRUE(IsDnsSubdomain(std::string(253, 'a')));
  EXPECT_FALSE(IsDnsSubdomain(std::string(254, 'a')));
}

TEST(ClaimValidationTest, NamespacesAreLabels) {
  for (const char* const name : {"a", "a-b", "kube-system"}) EXPECT_TRUE(IsDnsLabel(name)) << name;
  for (const char* const name : {"", "a.b", "-a", "a-", "A", "a/b"}) EXPECT_FALSE(IsDnsLabel(name)) << name;
  EXPECT_FALSE(IsDnsLabel(std::string(64, 'a')));
}

TEST(ClaimValidationTest, AnIdentityThatCouldBeTakenForAnotherIsRefused) {
  ClaimObject claim = Sample();
  claim.id.name = "a/b";
  EXPECT_THAT(ValidateClaim(claim), Names(R"(metadata.name: "a/b" is not a name of an object)"));
  claim.id = {"", "a", "u"};
  EXPECT_THAT(ValidateClaim(claim), Names("metadata.namespace"));
  claim.id = {"ns", "a", ""};
  EXPECT_THAT(ValidateClaim(claim), Names("metadata.uid"));
  claim.id = {"ns", "a", std::string(254, 'u')};
  EXPECT_THAT(ValidateClaim(claim), Names("metadata.uid"));
}

TEST(ClaimValidationTest, ADriverNeedsAName) {
  ClaimObject claim = Sample();
  claim.allocation->results.push_back({.request = "r", .driver = "", .pool = "p", .device = "d"});
  EXPECT_THAT(ValidateClaim(claim), Names("status.allocation.devices.results[1].driver"));
  claim.allocation->results[1].driver = "GPU.example.com";
  EXPECT_OK(ValidateClaim(claim));
}

TEST(ClaimValidationTest, AHandleWithoutADriverNeedsOneOfTheClaim) {
  ClaimObject claim = Sample();
  claim.allocation->handles = {{"", "data", {}}};
  EXPECT_THAT(ValidateClaim(claim), Names("status.allocation.resourceHandles[0].driverName"));
  claim.driver_name = "gpu";
  EXPECT_OK(ValidateClaim(claim));
}

TEST(ClaimValidationTest, AReservationForNobodyIsRefused) {
  ClaimObject claim = Sample();
  claim.reserved_for[0].uid = "";
  EXPECT_THAT(ValidateClaim(claim), Names("status.reservedFor[0].uid"));
}

TEST(ClaimValidationTest, CountsAndSizesAreBounded) {
  ClaimObject claim = Sample();
  claim.allocation->results.resize(kMaxResults + 1, claim.allocation->results[0]);
  EXPECT_THAT(ValidateClaim(claim), Names("status.allocation.devices.results: 1025 entries"));
  claim = Sample();
  claim.reserved_for.resize(kMaxReservations + 1, claim.reserved_for[0]);
  EXPECT_THAT(ValidateClaim(claim), Names("status.reservedFor"));
  claim = Sample();
  claim.allocation->results[0].skip_node_operations.resize(kMaxSkippedOperations + 1);
  EXPECT_THAT(ValidateClaim(claim), Names("results[0].skipNodeOperations"));
  claim = Sample();
  claim.allocation->results[0].pool = std::string(kMaxNameSize + 1, 'p');
  EXPECT_THAT(ValidateClaim(claim), Names(R"(results[0].pool: "pppp)"));
}

}  // namespace
}  // namespace kubelet_cm::dra
