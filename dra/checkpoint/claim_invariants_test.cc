#include "dra/checkpoint/claim_invariants.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Kind = ClaimProblemKind;

ClaimState Claim(const std::string& name, const std::string& device) {
  ClaimState claim{.claim_uid = "uid-" + name,
                   .claim_name = name,
                   .claim_namespace = "ns",
                   .pod_uids = {{"p"}},
                   .driver_state = std::map<std::string, DriverState>()};
  ClaimDevice held;
  held.pool_name = "pool";
  held.device_name = device;
  (*claim.driver_state)["drv"].devices.Set({held});
  return claim;
}

std::vector<Kind> Kinds(std::vector<ClaimState> claims) {
  ClaimList list;
  list.Set(std::move(claims));
  std::vector<Kind> kinds;
  for (const ClaimProblem& problem : ClaimProblems(list)) kinds.push_back(problem.kind);
  return kinds;
}

TEST(ClaimInvariantsTest, PreparedClaimsOfDifferentDevicesAreFine) {
  EXPECT_THAT(Kinds({Claim("a", "gpu-0"), Claim("b", "gpu-1")}), IsEmpty());
}

TEST(ClaimInvariantsTest, OneNameMayComeOnce) {
  EXPECT_THAT(Kinds({Claim("a", "gpu-0"), Claim("a", "gpu-1")}), ElementsAre(Kind::kTwice));
  ClaimState elsewhere = Claim("a", "gpu-1");
  elsewhere.claim_namespace = "other";
  EXPECT_THAT(Kinds({Claim("a", "gpu-0"), elsewhere}), IsEmpty());
}

TEST(ClaimInvariantsTest, NullPodsAreWorseThanNone) {
  ClaimState none = Claim("a", "gpu-0");
  none.pod_uids->clear();
  EXPECT_THAT(Kinds({none}), ElementsAre(Kind::kNoPods));
  none.pod_uids.reset();
  EXPECT_THAT(Kinds({none}), ElementsAre(Kind::kNullPods));
}

TEST(ClaimInvariantsTest, DriversWithoutDevicesAreNotKnownToBePrepared) {
  ClaimState claim = Claim("a", "gpu-0");
  (*claim.driver_state)["other"];
  EXPECT_THAT(Kinds({claim}), ElementsAre(Kind::kNotPrepared));
  claim.driver_state->clear();
  EXPECT_THAT(Kinds({claim}), ElementsAre(Kind::kNoDrivers));
  claim.driver_state.reset();
  EXPECT_THAT(Kinds({claim}), ElementsAre(Kind::kNoDrivers));
}

TEST(ClaimInvariantsTest, ADeviceIsHeldTwiceUnlessItsSharesDiffer) {
  ClaimList list;
  list.Set({Claim("a", "gpu-0"), Claim("b", "gpu-0")});
  const auto problems = ClaimProblems(list);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].sentence,
            "claim ns/b holds device drv/pool/gpu-0, and so does ns/a; only claims with admin access may");
  ClaimState shared = Claim("b", "gpu-0");
  ClaimDevice share = shared.driver_state->at("drv").devices[0];
  share.share_id = "s";
  (*shared.driver_state)["drv"].devices.Set({share});
  EXPECT_THAT(Kinds({Claim("a", "gpu-0"), shared}), IsEmpty());
}

TEST(ClaimInvariantsTest, NamesMustBeThereAndUtf8) {
  ClaimState claim = Claim("a", "gpu-0");
  claim.claim_uid.clear();
  EXPECT_THAT(Kinds({claim}), ElementsAre(Kind::kNameless));
  EXPECT_THAT(Kinds({Claim("a\xEF\xBF\xBD", "gpu-0")}), ElementsAre(Kind::kNotUtf8, Kind::kNotUtf8));
}

TEST(ClaimInvariantsTest, WhatIsNormalForAWhileIsNoError) {
  ClaimState claim = Claim("a", "gpu-0");
  claim.pod_uids->clear();
  ClaimList list;
  list.Set({claim});
  EXPECT_FALSE(ClaimProblems(list)[0].is_error);
}

}  // namespace
}  // namespace kubelet_cm::dra
