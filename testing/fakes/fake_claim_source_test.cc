#include "testing/fakes/fake_claim_source.h"

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::fakes {
namespace {

TEST(FakeClaimSourceTest, GivesWhatItHasAndSaysWhatItHasNotAsTheApiServerDoes) {
  FakeClaimSource claims;
  claims.Set({.id = {"ns", "claim", "uid"}});
  claims.Reserve("ns", "claim", "pod");
  ASSERT_OK_AND_ASSIGN(const dra::ClaimObject claim, claims.Get("ns", "claim"));
  EXPECT_EQ(claim.id.uid, "uid");
  ASSERT_EQ(claim.reserved_for.size(), 1u);
  EXPECT_EQ(claim.reserved_for[0].uid, "pod");
  claims.Remove("ns", "claim");
  EXPECT_EQ(claims.Get("ns", "claim").status(),
            absl::NotFoundError("resourceclaims.resource.k8s.io \"claim\" not found"));
  EXPECT_EQ(claims.gets(), 2);
}

TEST(FakeClaimSourceTest, FailsUntilItIsToldNotTo) {
  FakeClaimSource claims;
  claims.Set({.id = {"ns", "claim", "uid"}});
  claims.Fail(absl::UnavailableError("no route to host"));
  EXPECT_EQ(claims.Get("ns", "claim").status(), absl::UnavailableError("no route to host"));
  claims.Fail(absl::OkStatus());
  EXPECT_OK(claims.Get("ns", "claim"));
}

}  // namespace
}  // namespace kubelet_cm::fakes
