#include "dra/claim/claim_store.h"

#include "common/status/check.h"
#include "dra/claim/claim_samples.h"
#include "dra/claim/claim_table.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsNull;
using ::testing::Pair;
using ::testing::SizeIs;

class ClaimStoreTest : public ::testing::Test {
 protected:
  // The claim of one driver is prepared with a device for a pod.
  void Prepare(const std::string& name, const std::string& device, const std::string& pod) {
    const auto plan = table_.Reference({SampleClaim(name)}, pod);
    CHECK(plan.ok());
    if (plan->calls.empty()) return;
    CHECK(table_.StorePrepared(plan->calls.at("gpu")[0], {SampleDevice(device)}).ok());
  }
  void Unprepare(const std::string& pod) {
    const CallPlan plan = table_.BeginUnprepare(pod);
    for (const auto& [driver, calls] : plan.calls) {
      for (const PlannedCall& call : calls) CHECK(table_.FinishUnprepare(call).ok());
    }
  }

  ClaimTable table_{ClaimTableOptions{}};
  const ClaimStore& store_ = table_.claims();
};

TEST_F(ClaimStoreTest, ClaimsAreFoundByNamespaceAndName) {
  Prepare("a", "d0", "p1");
  EXPECT_EQ(store_.Find("ns", "a")->id, SampleId("a"));
  EXPECT_EQ(store_.Find("ns/a"), store_.Find("ns", "a"));
  EXPECT_THAT(store_.Find("other", "a"), IsNull());
  EXPECT_THAT(store_.All(), SizeIs(1));
}

TEST_F(ClaimStoreTest, APodMightNeedToUnprepareWhileItReferencesAClaim) {
  Prepare("b", "d0", "p1");
  Prepare("a", "d0", "p1");
  EXPECT_TRUE(store_.MightNeedToUnprepare("p1"));
  EXPECT_FALSE(store_.MightNeedToUnprepare("p2"));
  EXPECT_THAT(store_.ClaimsOf("p1"), ElementsAre(store_.Find("ns/a"), store_.Find("ns/b")));
  Unprepare("p1");
  EXPECT_FALSE(store_.MightNeedToUnprepare("p1"));
  EXPECT_THAT(store_.ClaimsOf("p1"), IsEmpty());
}

TEST_F(ClaimStoreTest, PodsThatAreNotActiveAreFoundSorted) {
  Prepare("a", "d0", "p3");
  Prepare("a", "d0", "p1");
  Prepare("b", "d0", "p2");
  EXPECT_THAT(store_.PodsNotIn({"p2"}), ElementsAre("p1", "p3"));
}

TEST_F(ClaimStoreTest, PodsAreFoundByTheDevicesOfTheirClaims) {
  Prepare("a", "d0", "p2");
  Prepare("a", "d0", "p1");
  Prepare("b", "d0", "p3");
  Prepare("c", "d1", "p4");
  EXPECT_THAT(store_.PodsUsing({{"gpu", "pool", "d0"}}), ElementsAre("p1", "p2", "p3"));
  EXPECT_THAT(store_.PodsUsing({{"gpu", "pool", "d0"}, {"gpu", "pool", "d1"}}), SizeIs(4));
  EXPECT_THAT(store_.PodsUsing({{"nic", "pool", "d0"}}), IsEmpty());
  Unprepare("p3");
  EXPECT_THAT(store_.PodsUsing({{"gpu", "pool", "d0"}}), ElementsAre("p1", "p2"));
}

TEST_F(ClaimStoreTest, ClaimsInUseAreThoseThatAllDriversHavePrepared) {
  EXPECT_THAT(store_.ClaimsInUse(), ElementsAre(Pair(kAnyDriver, 0)));
  const auto plan = table_.Reference({SampleClaim("a", {"gpu", "nic"})}, "p1");
  CHECK(table_.StorePrepared(plan->calls.at("gpu")[0], {}).ok());
  EXPECT_THAT(store_.ClaimsInUse(), ElementsAre(Pair(kAnyDriver, 0)));
  CHECK(table_.StorePrepared(plan->calls.at("nic")[0], {}).ok());
  Prepare("b", "d0", "p2");
  EXPECT_THAT(store_.ClaimsInUse(), ElementsAre(Pair(kAnyDriver, 2), Pair("gpu", 2), Pair("nic", 1)));
  Unprepare("p1");
  EXPECT_THAT(store_.ClaimsInUse(), ElementsAre(Pair(kAnyDriver, 1), Pair("gpu", 1)));
}

TEST_F(ClaimStoreTest, AClaimThatGetsAnotherDriverIsInUseWhenThatHasPreparedItToo) {
  Prepare("a", "d0", "p1");
  const auto plan = table_.Reference({SampleClaim("a", {"gpu", "nic"})}, "p2");
  EXPECT_THAT(store_.ClaimsInUse(), ElementsAre(Pair(kAnyDriver, 0)));
  CHECK(table_.StorePrepared(plan->calls.at("nic")[0], {}).ok());
  EXPECT_THAT(store_.ClaimsInUse(), ElementsAre(Pair(kAnyDriver, 1), Pair("gpu", 1), Pair("nic", 1)));
}

}  // namespace
}  // namespace kubelet_cm::dra
