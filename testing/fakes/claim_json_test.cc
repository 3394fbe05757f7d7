#include "testing/fakes/claim_json.h"

#include <string>

#include "common/status/status_matchers.h"
#include "dra/claim/claim_parser.h"
#include "gtest/gtest.h"

namespace kubelet_cm::fakes {
namespace {

TEST(ClaimJsonTest, IsReadAsTheSameClaim) {
  const dra::ClaimObject claim{.id = {"ml", "claim", "u1"},
                               .controller = dra::ClaimOwner{"", "Pod", "p", "u2"},
                               .reserved_for = {{"", "pods", "p", "u2"}, {"scheduling.k8s.io", "podgroups", "g", "u3"}},
                               .allocation = dra::Allocation{.results = {{.request = "r/s",
                                                                          .driver = "d.example.com",
                                                                          .pool = "p",
                                                                          .device = "d0",
                                                                          .share_id = "share",
                                                                          .admin_access = true,
                                                                          .skip_node_operations = {"*"}}}}};
  for (const std::string version : {"v1", "v1beta2", "v1beta1", "v1alpha3"}) {
    std::string text;
    JsonWriter json(&text);
    WriteClaim(claim, "resource.k8s.io/" + version, 7, json);
    EXPECT_THAT(dra::ParseClaim(text), IsOkAndHolds(claim));
    EXPECT_NE(text.find(R"("resourceVersion":"7")"), std::string::npos);
  }
}

TEST(ClaimJsonTest, OfV1alpha2ItHasHandles) {
  const dra::ClaimObject claim{
      .id = {"ml", "claim", "u1"},
      .reserved_for = {{"", "pods", "p", "u2"}},
      .allocation = dra::Allocation{.handles = {{.driver_name = "d.example.com", .data = "42", .structured_data = {}}}},
      .driver_name = "d.example.com"};
  std::string text;
  JsonWriter json(&text);
  WriteClaim(claim, "resource.k8s.io/v1alpha2", 7, json);
  EXPECT_THAT(dra::ParseClaim(text), IsOkAndHolds(claim));
}

TEST(ClaimJsonTest, WritesAClaimThatIsNotAllocated) {
  const dra::ClaimObject claim{.id = {"default", "claim", "u1"}};
  std::string text;
  JsonWriter json(&text);
  WriteClaim(claim, "resource.k8s.io/v1", 1, json);
  EXPECT_THAT(dra::ParseClaim(text), IsOkAndHolds(claim));
}

}  // namespace
}  // namespace kubelet_cm::fakes
