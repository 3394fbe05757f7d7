#include "dra/claim/claim_table.h"

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
using ::testing::Key;
using ::testing::Pair;
using ::testing::SizeIs;

using ClaimTableTest = ClaimTableFixture;

TEST_F(ClaimTableTest, ANewClaimIsReferencedAndItsDriversAreToBeCalled) {
  const CallPlan plan = Reference({SampleClaim("a", {"gpu", "nic"}), SampleClaim("b")}, "pod");
  EXPECT_THAT(plan.calls, ElementsAre(Pair("gpu", SizeIs(2)), Pair("nic", SizeIs(1))));
  EXPECT_EQ(plan.calls.at("gpu")[0].claim, SampleId("a"));
  EXPECT_EQ(plan.calls.at("gpu")[1].claim, SampleId("b"));
  EXPECT_THAT(plan.waits, IsEmpty());
  EXPECT_THAT(Entry("a").pods, ElementsAre("pod"));
  EXPECT_EQ(Phase("a", "nic"), DriverPhase::kPreparing);
}

TEST_F(ClaimTableTest, TheIntentOfAllClaimsIsOneSetOfChanges) {
  Reference({SampleClaim("b"), SampleClaim("a")}, "pod");
  const std::vector<ClaimChange> changes = table_.TakeChanges();
  ASSERT_THAT(changes, ElementsAre(Field(&ClaimChange::key, "ns/a"), Field(&ClaimChange::key, "ns/b")));
  EXPECT_EQ(changes[0].state->claim_uid, "uid-a");
  EXPECT_THAT(*changes[0].state->pod_uids, ElementsAre("pod"));
  EXPECT_TRUE(changes[0].state->driver_state->at("gpu").devices.is_nil());
  EXPECT_FALSE(table_.HasChanges());
  EXPECT_THAT(table_.TakeChanges(), IsEmpty());
}

TEST_F(ClaimTableTest, AnAnswerIsStoredByDriverAndIsToBeWritten) {
  const CallPlan plan = Reference({SampleClaim("a", {"gpu", "nic"})}, "pod");
  table_.TakeChanges();
  EXPECT_OK(table_.StorePrepared(plan.calls.at("gpu")[0], {SampleDevice("gpu-0")}));
  EXPECT_EQ(Phase("a", "gpu"), DriverPhase::kPrepared);
  EXPECT_EQ(Phase("a", "nic"), DriverPhase::kPreparing);
  const std::vector<ClaimChange> changes = table_.TakeChanges();
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_EQ(changes[0].state->driver_state->at("gpu").devices[0], SampleDevice("gpu-0"));
}

TEST_F(ClaimTableTest, DevicesThatNobodyVouchesForAreShownAndTheirDriversAreCalledAgain) {
  Prepare(Reference({SampleClaim("a"), SampleClaim("b")}, "pod"));
  Restart({.vouched = false});
  EXPECT_FALSE(table_.vouched());
  EXPECT_EQ(Entry("a").drivers.at("gpu").state.devices[0], SampleDevice("a"));
  EXPECT_FALSE(table_.HasChanges());
  Prepare(Reference({SampleClaim("a")}, "pod"));
  EXPECT_FALSE(table_.vouched());
  Unprepare(table_.BeginUnprepare("pod"));
  EXPECT_TRUE(table_.vouched());
}

TEST_F(ClaimTableTest, ClaimsThatTheFileHasNoRoomForAreRefusedAndChangeNothing) {
  Restart({.limit = {.parts = 4, .bytes = 1 << 20}});
  Reference({SampleClaim("a")}, "pod");
  table_.TakeChanges();
  EXPECT_THAT(table_.Reference({SampleClaim("b"), SampleClaim("c")}, "other"),
              StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_FALSE(table_.HasChanges());
  EXPECT_EQ(table_.claims().size(), 1u);
  EXPECT_OK(table_.Reference({SampleClaim("b")}, "other"));
  EXPECT_OK(table_.Reference({SampleClaim("a")}, "pod"));
}

TEST_F(ClaimTableTest, AnAnswerThatTheFileHasNoRoomForIsAFailureAndTheClaimCanBeUnprepared) {
  Restart({.limit = {.parts = 3, .bytes = 1 << 20}});
  const CallPlan plan = Reference({SampleClaim("a")}, "pod");
  table_.TakeChanges();
  EXPECT_THAT(table_.StorePrepared(plan.calls.at("gpu")[0], {SampleDevice("0"), SampleDevice("1")}),
              StatusIs(absl::StatusCode::kResourceExhausted));
  table_.EndAttempt(plan.attempt, kUnanswered);
  EXPECT_EQ(Phase("a"), DriverPhase::kReferenced);
  EXPECT_FALSE(table_.HasChanges());
  Unprepare(table_.BeginUnprepare("pod"));
  EXPECT_EQ(table_.claims().size(), 0u);
  Prepare(Reference({SampleClaim("b")}, "pod"));
}

TEST_F(ClaimTableTest, APreparedClaimIsNotPreparedAgain) {
  Prepare(Reference({SampleClaim("a")}, "pod"));
  table_.TakeChanges();
  const CallPlan again = Reference({SampleClaim("a")}, "pod");
  EXPECT_THAT(again.calls, IsEmpty());
  EXPECT_EQ(again.attempt, 0U);
  EXPECT_FALSE(table_.HasChanges());
}

TEST_F(ClaimTableTest, AnotherPodOfAPreparedClaimOnlyAddsItsReference) {
  Prepare(Reference({SampleClaim("a")}, "pod"));
  table_.TakeChanges();
  EXPECT_THAT(Reference({SampleClaim("a")}, "other").calls, IsEmpty());
  EXPECT_THAT(*table_.TakeChanges()[0].state->pod_uids, ElementsAre("other", "pod"));
}

TEST_F(ClaimTableTest, WhatSomebodyElseIsPreparingIsWaitedFor) {
  const CallPlan first = Reference({SampleClaim("a")}, "pod");
  const CallPlan second = Reference({SampleClaim("a"), SampleClaim("b")}, "other");
  ASSERT_THAT(second.waits, SizeIs(1));
  EXPECT_EQ(second.waits[0].claim, SampleId("a"));
  EXPECT_EQ(second.waits[0].driver, "gpu");
  EXPECT_EQ(second.waits[0].attempt, first.attempt);
  EXPECT_EQ(second.calls.at("gpu")[0].claim, SampleId("b"));
  EXPECT_GT(second.attempt, first.attempt);
}

TEST_F(ClaimTableTest, WhoWaitsGetsTheOutcomeOfTheCallThatWasMade) {
  const CallPlan first = Reference({SampleClaim("a"), SampleClaim("b")}, "pod");
  const CallPlan second = Reference({SampleClaim("a"), SampleClaim("b")}, "other");
  EXPECT_OK(table_.StorePrepared(first.calls.at("gpu")[0], {}));
  EXPECT_OK(table_.FailPrepare(first.calls.at("gpu")[1], kBroken));
  table_.EndAttempt(first.attempt, kUnanswered);
  EXPECT_OK(table_.Outcome(second.waits[0]));
  EXPECT_EQ(table_.Outcome(second.waits[1]), kBroken);
}

TEST_F(ClaimTableTest, AfterAFailureOnlyTheDriverThatFailedIsCalledAgain) {
  const CallPlan first = Reference({SampleClaim("a", {"gpu", "nic"})}, "pod");
  EXPECT_OK(table_.StorePrepared(first.calls.at("gpu")[0], {SampleDevice("gpu-0")}));
  EXPECT_OK(table_.FailPrepare(first.calls.at("nic")[0], kBroken));
  table_.EndAttempt(first.attempt, kUnanswered);
  EXPECT_THAT(Reference({SampleClaim("a", {"gpu", "nic"})}, "pod").calls, ElementsAre(Key("nic")));
}

TEST_F(ClaimTableTest, ACallWithoutAnAnswerHasFailed) {
  const CallPlan first = Reference({SampleClaim("a")}, "pod");
  const CallPlan second = Reference({SampleClaim("a")}, "other");
  table_.EndAttempt(first.attempt, kUnanswered);
  EXPECT_EQ(Phase("a"), DriverPhase::kReferenced);
  EXPECT_EQ(table_.Outcome(second.waits[0]), kUnanswered);
  EXPECT_THAT(table_.StorePrepared(first.calls.at("gpu")[0], {}), StatusIs(absl::StatusCode::kInternal));
}

TEST_F(ClaimTableTest, AnAnswerReplacesTheDevicesOfThatDriver) {
  Prepare(Reference({SampleClaim("a")}, "pod"));
  Restart({.trust_devices = false});
  EXPECT_EQ(Entry("a").drivers.at("gpu").state.devices[0].device_name, "a");
  const CallPlan plan = Reference({SampleClaim("a")}, "pod");
  EXPECT_OK(table_.StorePrepared(plan.calls.at("gpu")[0], {SampleDevice("new")}));
  EXPECT_THAT(Entry("a").drivers.at("gpu").state.devices, ElementsAre(SampleDevice("new")));
}

TEST_F(ClaimTableTest, AnAnswerForAClaimThatIsGoneIsAnError) {
  const CallPlan plan = Reference({SampleClaim("a")}, "pod");
  PlannedCall call = plan.calls.at("gpu")[0];
  call.claim.uid = "other";
  EXPECT_THAT(table_.StorePrepared(call, {}),
              StatusIs(absl::StatusCode::kInternal,
                       "internal error: unable to get claim info for ResourceClaim a in namespace ns"));
}

TEST_F(ClaimTableTest, AnotherClaimUnderTheSameNameIsRefusedWhileTheOldOneIsThere) {
  Prepare(Reference({SampleClaim("b")}, "pod"));
  table_.TakeChanges();
  AllocatedClaim successor = SampleClaim("b");
  successor.id.uid = "new";
  EXPECT_THAT(table_.Reference({SampleClaim("a"), successor}, "other"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "old ResourceClaim with same name b and different UID uid-b still exists (previous pod "
                       "force-deleted?!)"));
  EXPECT_FALSE(table_.HasChanges());
  EXPECT_EQ(table_.claims().size(), 1U);
  Unprepare(table_.BeginUnprepare("pod"));
  EXPECT_OK(table_.Reference({successor}, "other"));
}

TEST_F(ClaimTableTest, AClaimThatIsBeingUnpreparedIsRefused) {
  Prepare(Reference({SampleClaim("b")}, "pod"));
  const CallPlan plan = table_.BeginUnprepare("pod");
  EXPECT_THAT(table_.Reference({SampleClaim("a"), SampleClaim("b")}, "other"),
              StatusIs(absl::StatusCode::kUnavailable, "ResourceClaim b is being unprepared"));
  EXPECT_EQ(table_.claims().size(), 1U);
  EXPECT_THAT(Entry("b").pods, ElementsAre("pod"));
  Unprepare(plan);
  EXPECT_OK(table_.Reference({SampleClaim("b")}, "other"));
}

TEST_F(ClaimTableTest, AClaimThatIsNamedTwiceIsPreparedOnce) {
  EXPECT_THAT(Reference({SampleClaim("a"), SampleClaim("a")}, "pod").calls.at("gpu"), SizeIs(1));
}

TEST_F(ClaimTableTest, TwoClaimsOfOneNameAreRefusedAtOnce) {
  AllocatedClaim successor = SampleClaim("a");
  successor.id.uid = "new";
  EXPECT_THAT(table_.Reference({SampleClaim("a"), successor}, "pod"), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_EQ(table_.claims().size(), 0U);
}

TEST_F(ClaimTableTest, ADriverThatSkipsPreparingIsCountedAndNotCalled) {
  AllocatedClaim claim = SampleClaim("a", {"all", "gpu", "prep"});
  claim.drivers["all"].skip_node_operations = {"*"};
  claim.drivers["prep"].skip_node_operations = {"NodePrepareResources", "Unheard"};
  const CallPlan plan = Reference({claim}, "pod");
  EXPECT_THAT(plan.calls, ElementsAre(Key("gpu")));
  EXPECT_THAT(plan.skipped, ElementsAre(Pair("all", 1), Pair("prep", 1)));
  Prepare(plan);
  EXPECT_THAT(Reference({claim}, "pod").skipped, IsEmpty());
}

TEST_F(ClaimTableTest, WhatTheClaimSaysNowOfDriversToSkipReplacesWhatWasKnown) {
  Reference({SampleClaim("a")}, "pod");
  Restart();
  AllocatedClaim claim = SampleClaim("a");
  claim.drivers["gpu"].skip_node_operations = {"*"};
  EXPECT_THAT(Reference({claim}, "pod").calls, IsEmpty());
  EXPECT_THAT(Reference({SampleClaim("a")}, "pod").calls, ElementsAre(Key("gpu")));
}

TEST_F(ClaimTableTest, ADriverThatAStoredClaimDidNotHaveIsCalledToo) {
  Prepare(Reference({SampleClaim("a")}, "pod"));
  EXPECT_THAT(Reference({SampleClaim("a", {"gpu", "nic"})}, "other").calls, ElementsAre(Key("nic")));
}

TEST_F(ClaimTableTest, HandlesGoToTheirDriversAndOnesWithoutADriverToTheClaimsOwn) {
  AllocatedClaim claim = SampleClaim("a", {"gpu", "nic"});
  claim.driver_name = "gpu";
  claim.handles = {{"nic", "n", {}}, {"", "own", {}}, {"gpu", "g", {}}};
  const CallPlan plan = Reference({claim}, "pod");
  EXPECT_THAT(plan.calls.at("gpu")[0].handles,
              ElementsAre(Field(&ResourceHandle::data, "own"), Field(&ResourceHandle::data, "g")));
  EXPECT_THAT(plan.calls.at("nic")[0].handles, ElementsAre(Field(&ResourceHandle::data, "n")));
  Prepare(plan);
  const CallPlan unprepare = table_.BeginUnprepare("pod");
  EXPECT_THAT(unprepare.calls.at("nic")[0].handles, ElementsAre(Field(&ResourceHandle::data, "n")));
  EXPECT_THAT(unprepare.calls.at("nic")[0].cdi_device_ids, ElementsAre("vendor.com/class=a"));
}

TEST_F(ClaimTableTest, AClaimIsDroppedOnlyIfNoDriverHasPreparedItOrIsBeingCalled) {
  const CallPlan plan = Reference({SampleClaim("claim", {"gpu", "nic"})}, "pod");
  EXPECT_OK(table_.FailPrepare(plan.calls.at("gpu")[0], kBroken));
  table_.DropUnprepared(SampleId("claim"));
  EXPECT_EQ(table_.claims().size(), 1u);
  EXPECT_OK(table_.FailPrepare(plan.calls.at("nic")[0], kBroken));
  table_.DropUnprepared({"ns", "claim", "another-uid"});
  EXPECT_EQ(table_.claims().size(), 1u);
  table_.DropUnprepared(SampleId("claim"));
  table_.EndAttempt(plan.attempt, kUnanswered);
  EXPECT_EQ(table_.claims().size(), 0u);
  EXPECT_TRUE(File().empty());

  const CallPlan again = Reference({SampleClaim("claim", {"gpu", "nic"})}, "pod");
  EXPECT_OK(table_.FailPrepare(again.calls.at("gpu")[0], kBroken));
  EXPECT_OK(table_.StorePrepared(again.calls.at("nic")[0], {}));
  table_.EndAttempt(again.attempt, kUnanswered);
  table_.DropUnprepared(SampleId("claim"));
  EXPECT_EQ(table_.claims().size(), 1u);
}

}  // namespace
}  // namespace kubelet_cm::dra
