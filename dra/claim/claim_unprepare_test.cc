// How a claim of ClaimTable ends, and what a restart makes of it.
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "dra/claim/claim_samples.h"
#include "dra/claim/claim_table.h"
#include "dra/claim/claim_table_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::Pair;
using ::testing::SizeIs;

class ClaimUnprepareTest : public ClaimTableFixture {
 protected:
  // Two drivers have prepared claim a for the pod, and unpreparing fails for nic.
  void FailUnprepareOfNic() {
    Prepare(Reference({SampleClaim("a", {"gpu", "nic"})}, "pod"));
    const CallPlan plan = table_.BeginUnprepare("pod");
    EXPECT_OK(table_.FinishUnprepare(plan.calls.at("gpu")[0]));
    EXPECT_OK(table_.FailUnprepare(plan.calls.at("nic")[0], kBroken));
    table_.EndAttempt(plan.attempt, kUnanswered);
  }
};

TEST_F(ClaimUnprepareTest, ThePodThatIsNotTheLastOnlyLosesItsReference) {
  Prepare(Reference({SampleClaim("a")}, "pod"));
  Reference({SampleClaim("a")}, "other");
  table_.TakeChanges();
  const CallPlan plan = table_.BeginUnprepare("pod");
  EXPECT_THAT(plan.calls, IsEmpty());
  EXPECT_EQ(Phase("a"), DriverPhase::kPrepared);
  const std::vector<ClaimChange> changes = table_.TakeChanges();
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_THAT(*changes[0].state->pod_uids, ElementsAre("other"));
}

TEST_F(ClaimUnprepareTest, TheLastPodHasEveryDriverCalledWhetherItHasPreparedOrNot) {
  const CallPlan prepare = Reference({SampleClaim("a", {"gpu", "nic"}), SampleClaim("b")}, "pod");
  table_.EndAttempt(prepare.attempt, kUnanswered);
  const CallPlan plan = table_.BeginUnprepare("pod");
  EXPECT_THAT(plan.calls, ElementsAre(Pair("gpu", SizeIs(2)), Pair("nic", SizeIs(1))));
}

TEST_F(ClaimUnprepareTest, ThePodReferencesTheClaimUntilTheLastDriverHasSucceeded) {
  Prepare(Reference({SampleClaim("a", {"gpu", "nic"})}, "pod"));
  const CallPlan plan = table_.BeginUnprepare("pod");
  EXPECT_OK(table_.FinishUnprepare(plan.calls.at("nic")[0]));
  EXPECT_TRUE(table_.claims().MightNeedToUnprepare("pod"));
  table_.TakeChanges();
  EXPECT_OK(table_.FinishUnprepare(plan.calls.at("gpu")[0]));
  EXPECT_FALSE(table_.claims().MightNeedToUnprepare("pod"));
  const std::vector<ClaimChange> changes = table_.TakeChanges();
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].key, "ns/a");
  EXPECT_FALSE(changes[0].state.has_value());
}

TEST_F(ClaimUnprepareTest, APodWithoutClaimsHasNothingToUnprepare) {
  const CallPlan plan = table_.BeginUnprepare("pod");
  EXPECT_THAT(plan.calls, IsEmpty());
  EXPECT_EQ(plan.attempt, 0U);
  EXPECT_FALSE(table_.HasChanges());
}

TEST_F(ClaimUnprepareTest, UnpreparingTwiceIsUnpreparingOnce) {
  Prepare(Reference({SampleClaim("a")}, "pod"));
  Unprepare(table_.BeginUnprepare("pod"));
  EXPECT_THAT(table_.BeginUnprepare("pod").calls, IsEmpty());
}

TEST_F(ClaimUnprepareTest, NoUnprepareWhileAPrepareIsOnItsWay) {
  const CallPlan prepare = Reference({SampleClaim("a")}, "pod");
  const CallPlan plan = table_.BeginUnprepare("pod");
  EXPECT_THAT(plan.calls, IsEmpty());
  ASSERT_THAT(plan.waits, SizeIs(1));
  EXPECT_EQ(plan.waits[0].attempt, prepare.attempt);
  EXPECT_FALSE(Entry("a").unpreparing);
  Prepare(prepare);
  EXPECT_THAT(table_.BeginUnprepare("pod").calls, ElementsAre(Key("gpu")));
}

TEST_F(ClaimUnprepareTest, NoSecondUnprepareWhileOneIsOnItsWay) {
  Prepare(Reference({SampleClaim("a")}, "pod"));
  const CallPlan first = table_.BeginUnprepare("pod");
  const CallPlan second = table_.BeginUnprepare("pod");
  EXPECT_THAT(second.calls, IsEmpty());
  ASSERT_THAT(second.waits, SizeIs(1));
  EXPECT_EQ(second.waits[0].attempt, first.attempt);
}

TEST_F(ClaimUnprepareTest, AfterAFailureOnlyTheDriverThatFailedIsCalledAgain) {
  FailUnprepareOfNic();
  const CallPlan again = table_.BeginUnprepare("pod");
  EXPECT_THAT(again.calls, ElementsAre(Key("nic")));
  Unprepare(again);
  EXPECT_EQ(table_.claims().size(), 0U);
}

TEST_F(ClaimUnprepareTest, ADriverThatSkipsUnpreparingIsCountedAndNotCalled) {
  AllocatedClaim claim = SampleClaim("a", {"gpu", "nic"});
  claim.drivers["nic"].skip_node_operations = {"NodeUnprepareResources"};
  Prepare(Reference({claim}, "pod"));
  const CallPlan plan = table_.BeginUnprepare("pod");
  EXPECT_THAT(plan.calls, ElementsAre(Key("gpu")));
  EXPECT_THAT(plan.skipped, ElementsAre(Pair("nic", 1)));
  Unprepare(plan);
  EXPECT_EQ(table_.claims().size(), 0U);
}

TEST_F(ClaimUnprepareTest, AClaimThatNoDriverWantsToBeCalledForIsRemovedAtOnce) {
  AllocatedClaim claim = SampleClaim("a");
  claim.drivers["gpu"].skip_node_operations = {"*"};
  Reference({claim}, "pod");
  table_.TakeChanges();
  EXPECT_THAT(table_.BeginUnprepare("pod").calls, IsEmpty());
  EXPECT_EQ(table_.claims().size(), 0U);
  EXPECT_THAT(table_.TakeChanges(), SizeIs(1));
}

TEST_F(ClaimUnprepareTest, AFailedUnprepareIsListedWithItsReasonUntilItSucceeds) {
  FailUnprepareOfNic();
  ASSERT_THAT(table_.StuckClaims(), SizeIs(1));
  const StuckClaim stuck = table_.StuckClaims()[0];
  EXPECT_EQ(stuck.claim, SampleId("a"));
  EXPECT_EQ(stuck.driver, "nic");
  EXPECT_EQ(stuck.reason, kBroken);
  EXPECT_THAT(stuck.pod_uids, ElementsAre("pod"));
  EXPECT_FALSE(stuck.retrying);
  const CallPlan again = table_.BeginUnprepare("pod");
  EXPECT_TRUE(table_.StuckClaims()[0].retrying);
  Unprepare(again);
  EXPECT_THAT(table_.StuckClaims(), IsEmpty());
}

TEST_F(ClaimUnprepareTest, AStuckClaimStaysRefusedToOtherPods) {
  FailUnprepareOfNic();
  EXPECT_THAT(table_.CheckPrepare({SampleClaim("a")}),
              StatusIs(absl::StatusCode::kUnavailable, "ResourceClaim a is being unprepared"));
}

TEST_F(ClaimUnprepareTest, ForgettingAStuckClaimReleasesItsPodAndRecordsWhoDecided) {
  FailUnprepareOfNic();
  table_.TakeChanges();
  ASSERT_OK_AND_ASSIGN(const ForgottenClaim forgotten, table_.Forget(SampleId("a"), "alice"));
  EXPECT_EQ(forgotten.who, "alice");
  EXPECT_EQ(forgotten.state.driver_state->at("nic").devices[0].device_name, "a");
  ASSERT_THAT(forgotten.stuck, SizeIs(1));
  EXPECT_EQ(forgotten.stuck[0].driver, "nic");
  EXPECT_FALSE(table_.claims().MightNeedToUnprepare("pod"));
  EXPECT_THAT(table_.StuckClaims(), IsEmpty());
  EXPECT_FALSE(table_.TakeChanges()[0].state.has_value());
}

TEST_F(ClaimUnprepareTest, OnlyAStuckClaimThatNobodyCallsCanBeForgottenBySomebody) {
  EXPECT_THAT(table_.Forget(SampleId("a"), "alice"), StatusIs(absl::StatusCode::kNotFound));
  FailUnprepareOfNic();
  EXPECT_THAT(table_.Forget({"ns", "a", "other"}, "alice"), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(table_.Forget(SampleId("a"), ""), StatusIs(absl::StatusCode::kInvalidArgument));
  table_.BeginUnprepare("pod");
  EXPECT_THAT(table_.Forget(SampleId("a"), "alice"),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("nic is being called")));
  Prepare(Reference({SampleClaim("b")}, "pod"));
  EXPECT_THAT(table_.Forget(SampleId("b"), "alice"),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("has failed")));
}

TEST_F(ClaimUnprepareTest, DevicesLeaveTheFileBeforeAnUnprepareIsSentAndStayKnown) {
  Prepare(Reference({SampleClaim("a")}, "pod"));
  table_.TakeChanges();
  table_.BeginUnprepare("pod");
  const std::vector<ClaimChange> changes = table_.TakeChanges();
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_TRUE(changes[0].state->driver_state->at("gpu").devices.is_nil());
  EXPECT_THAT(*changes[0].state->pod_uids, ElementsAre("pod"));
  EXPECT_THAT(Entry("a").drivers.at("gpu").state.devices, SizeIs(1));
}

TEST_F(ClaimUnprepareTest, ARestartInTheMiddleOfAnUnprepareEndsInItBeingFinished) {
  FailUnprepareOfNic();
  Restart();
  EXPECT_THAT(table_.claims().PodsNotIn({}), ElementsAre("pod"));
  const CallPlan plan = table_.BeginUnprepare("pod");
  EXPECT_THAT(plan.calls, ElementsAre(Key("gpu"), Key("nic")));
  Unprepare(plan);
  EXPECT_THAT(File(), IsEmpty());
}

TEST_F(ClaimUnprepareTest, AClaimOfAnInterruptedUnprepareIsPreparedAgainForAnotherPod) {
  FailUnprepareOfNic();
  Restart();
  EXPECT_THAT(Reference({SampleClaim("a", {"gpu", "nic"})}, "other").calls, ElementsAre(Key("gpu"), Key("nic")));
}

TEST_F(ClaimUnprepareTest, AfterARestartWhatTheFileShowsAsPreparedIsNotPreparedAgain) {
  const CallPlan plan = Reference({SampleClaim("a", {"gpu", "nic", "none"})}, "pod");
  EXPECT_OK(table_.StorePrepared(plan.calls.at("gpu")[0], {SampleDevice("d")}));
  EXPECT_OK(table_.StorePrepared(plan.calls.at("none")[0], {}));
  Restart();
  EXPECT_THAT(Reference({SampleClaim("a", {"gpu", "nic", "none"})}, "pod").calls, ElementsAre(Key("nic")));
}

TEST_F(ClaimUnprepareTest, AsAKubeletDoesEverythingIsPreparedAgainAfterARestart) {
  Prepare(Reference({SampleClaim("a")}, "pod"));
  Restart({.trust_devices = false});
  EXPECT_THAT(table_.claims().ClaimsInUse(), ElementsAre(Pair(kAnyDriver, 0)));
  EXPECT_THAT(Reference({SampleClaim("a")}, "pod").calls, ElementsAre(Key("gpu")));
}

TEST_F(ClaimUnprepareTest, AsAKubeletDoesTheFileChangesOnlyAfterAnUnprepareAndHasNoEmptyLists) {
  table_ = ClaimTable({.trust_devices = false});
  const CallPlan plan = Reference({SampleClaim("a")}, "pod");
  EXPECT_OK(table_.StorePrepared(plan.calls.at("gpu")[0], {}));
  EXPECT_TRUE(File()[0].driver_state->at("gpu").devices.is_nil());
  const CallPlan unprepare = table_.BeginUnprepare("pod");
  EXPECT_FALSE(table_.HasChanges());
  Unprepare(unprepare);
  EXPECT_TRUE(table_.HasChanges());
}

TEST_F(ClaimUnprepareTest, RestartsChangeNothing) {
  Prepare(Reference({SampleClaim("a"), SampleClaim("b")}, "pod"));
  Reference({SampleClaim("c")}, "other");
  const ClaimList before = File();
  for (int i = 0; i < 3; ++i) {
    Restart();
    EXPECT_FALSE(table_.HasChanges());
    std::vector<ClaimState> states;
    for (const ClaimEntry* const entry : table_.claims().All()) states.push_back(StateOf(*entry, false));
    EXPECT_TRUE(std::equal(before.begin(), before.end(), states.begin(), states.end()));
  }
  EXPECT_THAT(table_.claims().ClaimsInUse(), ElementsAre(Pair(kAnyDriver, 2), Pair("gpu", 2)));
}

TEST_F(ClaimUnprepareTest, AClaimOfTheFileThatNoPodReferencesIsUnpreparedToo) {
  ClaimState state{
      .claim_uid = "uid-a", .claim_name = "a", .claim_namespace = "ns", .pod_uids = {}, .driver_state = {}};
  state.driver_state = {{"gpu", DriverState{}}};
  ClaimList list;
  list.Set({state});
  table_.Restore(list);
  ASSERT_THAT(table_.claims().PodsNotIn({}), ElementsAre(kNobody));
  Unprepare(table_.BeginUnprepare(std::string(kNobody)));
  EXPECT_EQ(table_.claims().size(), 0U);
}

TEST_F(ClaimUnprepareTest, APodThatComesToAClaimThatNobodyReferencesIsItsLastOne) {
  for (const StringSet& pods : {StringSet(), StringSet({std::string(kNobody), "pod"})}) {
    ClaimState state{
        .claim_uid = "uid-a", .claim_name = "a", .claim_namespace = "ns", .pod_uids = pods, .driver_state = {}};
    state.driver_state = {{"gpu", DriverState{}}};
    ClaimList list;
    list.Set({state});
    table_ = ClaimTable(ClaimTableOptions{});
    table_.Restore(list);
    Prepare(Reference({SampleClaim("a")}, "pod"));
    EXPECT_THAT(table_.claims().PodsNotIn({}), ElementsAre("pod"));
    EXPECT_THAT(table_.BeginUnprepare("pod").calls, SizeIs(1));
  }
}

TEST_F(ClaimUnprepareTest, HandlesOf130AreThereAgainAfterARestart) {
  AllocatedClaim claim = SampleClaim("a");
  claim.driver_name = "gpu";
  claim.class_name = "class";
  claim.handles = {{"", "data", {}}};
  Prepare(Reference({claim}, "pod"));
  const LegacyClaimList file = table_.LegacyClaims();
  table_ = ClaimTable({});
  table_.RestoreLegacy(file);
  EXPECT_EQ(table_.LegacyClaims(), file);
  const CallPlan plan = table_.BeginUnprepare("pod");
  ASSERT_THAT(plan.calls.at("gpu")[0].handles, SizeIs(1));
  EXPECT_EQ(plan.calls.at("gpu")[0].handles[0].data, "data");
}

}  // namespace
}  // namespace kubelet_cm::dra
