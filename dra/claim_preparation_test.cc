// What a prepare does, and in what order; whole managers on a node in a box.
#include "dra/claim_preparation.h"

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "common/filesystem/fault_plan.h"
#include "common/status/status_matchers.h"
#include "dra/dra_node_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using fakes::DriverAct;
using harness::ClaimOf;
using harness::PodUsing;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class ClaimPreparationTest : public DraNodeFixture {
 protected:
  ClaimPreparationTest() { EXPECT_OK(node_.Start()); }
  uint64_t Writes() { return node_.manager().writes().writes; }
  std::string Message(const Pod& pod) { return std::string(Prepare(pod).message()); }
  // What must be so after a validation that failed.
  void ExpectNothingHappened(const std::string& pod) {
    EXPECT_FALSE(MightNeedToUnprepare(pod));
    EXPECT_EQ(gpu_.script().CallCount(kPrepare), 0);
    EXPECT_EQ(Writes(), 0u);
  }
};

TEST_F(ClaimPreparationTest, ADriverGetsAllClaimsOfThePodInOneCallAndTwoWritesAreMade) {
  ASSERT_OK(Prepare(node_.AddPod("pod", {"b", "a"})));
  ASSERT_EQ(gpu_.script().CallCount(kPrepare), 1);
  EXPECT_THAT(gpu_.script().Calls()[0].claim_uids, ElementsAre("a-uid", "b-uid"));
  EXPECT_EQ(Writes(), 2u);
}

TEST_F(ClaimPreparationTest, APodWithoutClaimsIsReadyAndNothingIsWritten) {
  ASSERT_OK(Prepare(node_.AddPod("pod", {})));
  ExpectNothingHappened("pod");
}

TEST_F(ClaimPreparationTest, TheIntentIsDurableBeforeADriverHearsOfIt) {
  gpu_.script().At(kPrepare, 1, {.held = true});
  const Pod pod = node_.AddPod("pod", {"a"});
  const auto caller = node_.threads.Start("prepare", [&] { EXPECT_OK(Prepare(pod)); });
  ASSERT_OK(gpu_.script().WaitForCall(kPrepare, 1));
  EXPECT_THAT(node_.StateFile(), HasSubstr("a-uid"));
  EXPECT_THAT(node_.StateFile(), Not(HasSubstr("example.com/fake")));
  gpu_.script().Release(kPrepare, 1);
}

TEST_F(ClaimPreparationTest, TheResultIsDurableWhenItIsAnswered) {
  ASSERT_OK(Prepare(node_.AddPod("pod", {"a"})));
  EXPECT_THAT(node_.StateFile(), HasSubstr("example.com/fake=a-uid"));
}

TEST_F(ClaimPreparationTest, DriversAreCalledAtTheSameTime) {
  gpu_.script().At(kPrepare, 1, {.held = true});
  nic_.script().At(kPrepare, 1, {.held = true});
  const Pod pod = node_.AddPod("pod", {"both"});
  const auto caller = node_.threads.Start("prepare", [&] { EXPECT_OK(Prepare(pod)); });
  ASSERT_OK(gpu_.script().WaitForCall(kPrepare, 1));
  ASSERT_OK(nic_.script().WaitForCall(kPrepare, 1));
  gpu_.script().Release(kPrepare, 1);
  nic_.script().Release(kPrepare, 1);
}

TEST_F(ClaimPreparationTest, WhatIsPreparedIsNotPreparedAgain) {
  const Pod pod = node_.AddPod("pod", {"a"});
  ASSERT_OK(Prepare(pod));
  ASSERT_OK(Prepare(pod));
  ASSERT_OK(Prepare(node_.AddPod("other", {"a"})));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 1);
  EXPECT_EQ(Writes(), 3u);  // the last one for the other pod's reference
}

TEST_F(ClaimPreparationTest, AnAlreadyPreparedClaimDoesNotStopLaterOnes) {  // it did in 1.34 and 1.35
  ASSERT_OK(Prepare(node_.AddPod("first", {"a"})));
  ASSERT_OK(Prepare(node_.AddPod("second", {"a", "b"})));
  EXPECT_THAT(gpu_.PreparedClaims(), ElementsAre("a-uid", "b-uid"));
}

TEST_F(ClaimPreparationTest, PodsThatPrepareASharedClaimAtTheSameTimeMakeOneCall) {
  gpu_.script().At(kPrepare, 1, {.held = true});
  const Pod first = node_.AddPod("first", {"a"});
  const Pod second = node_.AddPod("second", {"a", "b"});
  {
    const auto caller = node_.threads.Start("first", [&] { EXPECT_OK(Prepare(first)); });
    ASSERT_OK(gpu_.script().WaitForCall(kPrepare, 1));
    const auto other = node_.threads.Start("second", [&] { EXPECT_OK(Prepare(second)); });
    ASSERT_OK(gpu_.script().WaitForCall(kPrepare, 2));
    EXPECT_THAT(gpu_.script().Calls()[1].claim_uids, ElementsAre("b-uid"));
    gpu_.script().Release(kPrepare, 1);
  }
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 2);
}

TEST_F(ClaimPreparationTest, WhoeverWaitedForACallThatFailedGetsItsError) {
  gpu_.script().At(kPrepare, 1, {.held = true, .act = DriverAct::kClaimError, .error = absl::InternalError("burnt")});
  const Pod first = node_.AddPod("first", {"a"});
  const Pod second = node_.AddPod("second", {"a", "b"});
  {
    const auto caller = node_.threads.Start("first", [&] { EXPECT_FALSE(Prepare(first).ok()); });
    ASSERT_OK(gpu_.script().WaitForCall(kPrepare, 1));
    const auto other = node_.threads.Start("second", [&] { EXPECT_THAT(Message(second), HasSubstr("burnt")); });
    ASSERT_OK(gpu_.script().WaitForCall(kPrepare, 2));
    gpu_.script().Release(kPrepare, 1);
  }
  EXPECT_OK(Prepare(second));
}

// --- What is wrong is found first, and then nothing has happened.

TEST_F(ClaimPreparationTest, AClaimThatIsNotThere) {
  Pod pod = node_.AddPod("pod", {"a"});
  pod.claims.push_back({.name = "c", .object_name = "c"});
  EXPECT_EQ(Message(pod),
            "prepare dynamic resources: fetch ResourceClaim c: "
            "resourceclaims.resource.k8s.io \"c\" not found");
  ExpectNothingHappened("pod");
}

TEST_F(ClaimPreparationTest, AClaimThatIsNotReservedForThePod) {
  node_.pods.Add("pod");
  EXPECT_EQ(Message(PodUsing("pod", {"a"})),
            "prepare dynamic resources: pod pod-pod (pod) is not allowed to use ResourceClaim a (a-uid)");
  ExpectNothingHappened("pod");
}

TEST_F(ClaimPreparationTest, AClaimThatWasMadeForAnotherPod) {
  Pod pod = node_.AddPod("pod", {"a"});
  pod.claims[0].from_template = true;
  EXPECT_THAT(Message(pod), HasSubstr("ResourceClaim default/a was not created for Pod default/pod-pod"));
  ExpectNothingHappened("pod");
}

TEST_F(ClaimPreparationTest, AClaimThatIsNotAllocated) {
  ClaimObject claim = ClaimOf("a", {});
  claim.allocation.reset();
  node_.claims.Set(claim);
  EXPECT_EQ(Message(node_.AddPod("pod", {"a"})), "prepare dynamic resources: ResourceClaim a: not allocated");
  ExpectNothingHappened("pod");
}

TEST_F(ClaimPreparationTest, ADriverThatIsNotThere) {
  node_.AddClaim("odd", {"gpu", "fpga"});
  EXPECT_EQ(Message(node_.AddPod("pod", {"a", "odd"})), "prepare dynamic resources: DRA driver fpga is not registered");
  ExpectNothingHappened("pod");
}

TEST_F(ClaimPreparationTest, AClaimIsLookedAtWithItsDriversBeforeTheNextIsNamed) {
  node_.AddClaim("odd", {"fpga"});
  Pod pod = node_.AddPod("pod", {"odd", "a"});
  pod.claims[1] = {.name = "a", .from_template = true};  // which is not created yet
  EXPECT_EQ(Message(pod), "prepare dynamic resources: DRA driver fpga is not registered");
  EXPECT_EQ(node_.claims.gets(), 1);
  pod.claims[0].object_name = "c";
  EXPECT_THAT(Message(pod), HasSubstr("prepare dynamic resources: fetch ResourceClaim c: "));
  ExpectNothingHappened("pod");
}

TEST_F(ClaimPreparationTest, ADriverThatHasLeftIsMissedEvenIfTheClaimIsPrepared) {
  ASSERT_OK(Prepare(node_.AddPod("pod", {"a"})));
  node_.drivers.Leave("gpu");
  EXPECT_EQ(Message(node_.AddPod("other", {"a"})), "prepare dynamic resources: DRA driver gpu is not registered");
}

TEST_F(ClaimPreparationTest, AnotherClaimOfTheSameName) {
  ASSERT_OK(Prepare(node_.AddPod("pod", {"a"})));
  ClaimObject again = ClaimOf("a", {"gpu"});
  again.id.uid = "new-uid";
  node_.claims.Set(again);
  EXPECT_EQ(Message(node_.AddPod("new", {"b", "a"})),
            "prepare dynamic resources: old ResourceClaim with same name a and different UID a-uid still exists "
            "(previous pod force-deleted?!)");
  EXPECT_FALSE(MightNeedToUnprepare("new"));
}

// --- What goes wrong later.

TEST_F(ClaimPreparationTest, ADriverThatFailsDoesNotUndoAnotherAndOnlyItIsCalledAgain) {
  gpu_.script().At(kPrepare, 1, {.act = DriverAct::kFail, .error = absl::UnavailableError("gone")});
  const Pod pod = node_.AddPod("pod", {"both"});
  EXPECT_EQ(Message(pod), "prepare dynamic resources: NodePrepareResources: rpc error: code = Unavailable desc = gone");
  EXPECT_THAT(nic_.PreparedClaims(), ElementsAre("both-uid"));
  ASSERT_OK(Prepare(pod));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 2);
  EXPECT_EQ(nic_.script().CallCount(kPrepare), 1);
}

TEST_F(ClaimPreparationTest, AClaimThatFailsIsNamedAndTheOthersOfTheCallArePrepared) {
  gpu_.script().At(kPrepare, 1, {.act = DriverAct::kClaimError, .error = absl::InternalError("no memory")});
  const Pod pod = node_.AddPod("pod", {"a", "b"});
  EXPECT_EQ(Message(pod), "prepare dynamic resources: NodePrepareResources failed for ResourceClaim a: no memory");
  ASSERT_OK(Prepare(pod));
  EXPECT_THAT(gpu_.script().Calls()[1].claim_uids, ElementsAre("a-uid"));
}

TEST_F(ClaimPreparationTest, ADriverThatAnswersNonsenseHasPreparedNothing) {
  gpu_.script().At(kPrepare, 1, {.act = DriverAct::kSkipClaim});
  gpu_.script().At(kPrepare, 2, {.act = DriverAct::kUnknownClaim});
  const Pod pod = node_.AddPod("pod", {"a"});
  EXPECT_EQ(Message(pod), "prepare dynamic resources: NodePrepareResources skipped 1 ResourceClaims");
  EXPECT_THAT(Message(pod), HasSubstr("NodePrepareResources returned result for unknown claim UID"));
  EXPECT_OK(Prepare(pod));
}

TEST_F(ClaimPreparationTest, WithoutADurableIntentNoDriverIsCalled) {
  node_.faults.Arm({.ops = {FileOp::kRename}, .error = EIO});
  const Pod pod = node_.AddPod("pod", {"a"});
  EXPECT_THAT(Message(pod), HasSubstr("prepare dynamic resources: checkpoint ResourceClaim cache: "));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 0);
  EXPECT_OK(Prepare(pod));
}

TEST_F(ClaimPreparationTest, AResultThatCannotBeWrittenIsAnErrorAndIsWrittenTheNextTime) {
  node_.faults.Arm({.ops = {FileOp::kRename}, .nth = 2, .error = EIO});
  const Pod pod = node_.AddPod("pod", {"a"});
  EXPECT_THAT(Message(pod), HasSubstr("prepare dynamic resources: checkpoint ResourceClaim state: "));
  ASSERT_OK(Prepare(pod));
  EXPECT_THAT(node_.StateFile(), HasSubstr("example.com/fake=a-uid"));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 1);
}

}  // namespace
}  // namespace kubelet_cm::dra
