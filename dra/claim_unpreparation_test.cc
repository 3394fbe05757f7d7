// What an unprepare does, and in what order; whole managers on a node in a box.
#include "dra/claim_unpreparation.h"

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
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class ClaimUnpreparationTest : public DraNodeFixture {
 protected:
  ClaimUnpreparationTest() {
    EXPECT_OK(node_.Start());
    // What the reconciler does at the start is over: it does not get to the pods that these tests remove.
    EXPECT_TRUE(node_.clock.AwaitAlarms(1));
  }
  std::string Message(const Pod& pod) { return std::string(Unprepare(pod).message()); }
};

TEST_F(ClaimUnpreparationTest, ADriverGetsAllClaimsOfThePodInOneCallAndNothingIsLeft) {
  const Pod pod = Prepared("pod", {"a", "b"});
  ASSERT_OK(Unprepare(pod));
  EXPECT_THAT(gpu_.script().Calls().back().claim_uids, ElementsAre("a-uid", "b-uid"));
  EXPECT_THAT(gpu_.PreparedClaims(), IsEmpty());
  EXPECT_FALSE(MightNeedToUnprepare("pod"));
  EXPECT_THAT(node_.StateFile(), Not(HasSubstr("a-uid")));
}

TEST_F(ClaimUnpreparationTest, ItCanBeCalledAgainAndForPodsThatHaveNothing) {
  const Pod pod = Prepared("pod", {"a"});
  ASSERT_OK(Unprepare(pod));
  const auto writes = node_.manager().writes();
  EXPECT_OK(Unprepare(pod));
  EXPECT_OK(Unprepare(node_.AddPod("other", {"b"})));
  EXPECT_EQ(gpu_.script().CallCount(kUnprepare), 1);
  EXPECT_EQ(node_.manager().writes(), writes);
}

TEST_F(ClaimUnpreparationTest, OnlyTheLastPodOfASharedClaimCallsTheDriver) {
  const Pod first = Prepared("first", {"a"});
  const Pod second = Prepared("second", {"a"});
  ASSERT_OK(Unprepare(first));
  EXPECT_EQ(gpu_.script().CallCount(kUnprepare), 0);
  EXPECT_FALSE(MightNeedToUnprepare("first"));
  EXPECT_THAT(node_.StateFile(), Not(HasSubstr("first")));
  ASSERT_OK(Unprepare(second));
  EXPECT_EQ(gpu_.script().CallCount(kUnprepare), 1);
}

TEST_F(ClaimUnpreparationTest, ItGoesByWhatIsKnownAndNotByWhatThePodSaysNow) {
  Pod pod = Prepared("pod", {"a"});
  node_.claims.Remove("default", "a");
  pod.claims.clear();
  ASSERT_OK(Unprepare(pod));
  EXPECT_THAT(gpu_.PreparedClaims(), IsEmpty());
}

TEST_F(ClaimUnpreparationTest, BeforeADriverHearsOfItTheFileSaysNoMoreThatTheClaimIsPrepared) {
  const Pod pod = Prepared("pod", {"a"});
  gpu_.script().At(kUnprepare, 1, {.held = true});
  const auto caller = node_.threads.Start("unprepare", [&] { EXPECT_OK(Unprepare(pod)); });
  ASSERT_OK(gpu_.script().WaitForCall(kUnprepare, 1));
  EXPECT_THAT(node_.StateFile(), HasSubstr("a-uid"));
  EXPECT_THAT(node_.StateFile(), Not(HasSubstr("example.com/fake")));
  gpu_.script().Release(kUnprepare, 1);
}

TEST_F(ClaimUnpreparationTest, WhileAClaimIsUnpreparedNobodyCanPrepareIt) {
  const Pod pod = Prepared("pod", {"a"});
  const Pod other = node_.AddPod("other", {"a"});
  gpu_.script().At(kUnprepare, 1, {.held = true});
  {
    const auto caller = node_.threads.Start("unprepare", [&] { EXPECT_OK(Unprepare(pod)); });
    ASSERT_OK(gpu_.script().WaitForCall(kUnprepare, 1));
    EXPECT_EQ(Prepare(other).message(), "prepare dynamic resources: ResourceClaim a is being unprepared");
    gpu_.script().Release(kUnprepare, 1);
  }
  EXPECT_OK(Prepare(other));
}

TEST_F(ClaimUnpreparationTest, APrepareThatIsUnderWayIsWaitedForAndThenUndone) {
  gpu_.script().At(kPrepare, 1, {.held = true});
  const Pod pod = node_.AddPod("pod", {"a"});
  {
    const auto prepare = node_.threads.Start("prepare", [&] { EXPECT_OK(Prepare(pod)); });
    ASSERT_OK(gpu_.script().WaitForCall(kPrepare, 1));
    const auto unprepare = node_.threads.Start("unprepare", [&] { EXPECT_OK(Unprepare(pod)); });
    gpu_.script().Release(kPrepare, 1);
  }
  // Whichever came first, at the end the driver has what the table has.
  EXPECT_EQ(gpu_.PreparedClaims().empty(), !MightNeedToUnprepare("pod"));
}

TEST_F(ClaimUnpreparationTest, TwoThatUnprepareThePodAtTheSameTimeMakeOneCall) {
  const Pod pod = Prepared("pod", {"a"});
  gpu_.script().At(kUnprepare, 1, {.held = true});
  {
    const auto first = node_.threads.Start("first", [&] { EXPECT_OK(Unprepare(pod)); });
    ASSERT_OK(gpu_.script().WaitForCall(kUnprepare, 1));
    const auto second = node_.threads.Start("second", [&] { EXPECT_OK(Unprepare(pod)); });
    gpu_.script().Release(kUnprepare, 1);
  }
  EXPECT_EQ(gpu_.script().CallCount(kUnprepare), 1);
}

TEST_F(ClaimUnpreparationTest, ADriverThatFailsKeepsTheClaimAndOnlyItIsCalledAgain) {
  const Pod pod = Prepared("pod", {"both"});
  gpu_.script().At(kUnprepare, 1, {.act = DriverAct::kClaimError, .error = absl::InternalError("busy")});
  EXPECT_EQ(Message(pod), "unprepare dynamic resources: NodeUnprepareResources failed for ResourceClaim both: busy");
  EXPECT_TRUE(MightNeedToUnprepare("pod"));
  EXPECT_THAT(nic_.PreparedClaims(), IsEmpty());
  ASSERT_OK(Unprepare(pod));
  EXPECT_EQ(nic_.script().CallCount(kUnprepare), 1);
  EXPECT_EQ(gpu_.script().CallCount(kUnprepare), 2);
}

TEST_F(ClaimUnpreparationTest, ADriverThatIsGoneBlocksThePodAndTheClaimIsListedWithTheReason) {
  const Pod pod = Prepared("pod", {"a"});
  node_.drivers.Leave("gpu");
  EXPECT_EQ(Message(pod), "unprepare dynamic resources: DRA driver gpu is not registered");
  const std::vector<StuckClaim> stuck = node_.manager().StuckClaims();
  ASSERT_THAT(stuck, SizeIs(1));
  EXPECT_EQ(stuck[0].claim.name, "a");
  EXPECT_EQ(stuck[0].reason.message(), "DRA driver gpu is not registered");
  EXPECT_THAT(stuck[0].pod_uids, ElementsAre("pod"));
  node_.drivers.ComeBack("gpu");
  ASSERT_OK(Unprepare(pod));
  EXPECT_THAT(node_.manager().StuckClaims(), IsEmpty());
}

TEST_F(ClaimUnpreparationTest, AStuckClaimCanBeReleasedByWhoeverAnswersForIt) {
  const Pod pod = Prepared("pod", {"a"});
  node_.drivers.Leave("gpu");
  EXPECT_FALSE(Unprepare(pod).ok());
  EXPECT_FALSE(node_.manager().Forget({"default", "a", "a-uid"}, "").ok());
  ASSERT_OK_AND_ASSIGN(const ForgottenClaim forgotten, node_.manager().Forget({"default", "a", "a-uid"}, "alice"));
  EXPECT_EQ(forgotten.who, "alice");
  EXPECT_FALSE(MightNeedToUnprepare("pod"));
  EXPECT_OK(Unprepare(pod));
  EXPECT_THAT(node_.StateFile(), Not(HasSubstr("a-uid")));
  EXPECT_THAT(node_.log.lines(), testing::Contains(HasLogField("who", "alice")));
}

TEST_F(ClaimUnpreparationTest, AStuckClaimIsReleasedWhenTheCallThatIsTryingAgainHasEnded) {
  const Pod pod = Prepared("pod", {"a"});
  gpu_.script().At(kUnprepare, 1, {.act = fakes::DriverAct::kFail, .error = absl::UnavailableError("away")});
  gpu_.script().At(kUnprepare, 2,
                   {.held = true, .act = fakes::DriverAct::kFail, .error = absl::UnavailableError("away")});
  EXPECT_FALSE(Unprepare(pod).ok());
  const auto again = node_.threads.Start("again", [&] { EXPECT_FALSE(Unprepare(pod).ok()); });
  ASSERT_OK(gpu_.script().WaitForCall(kUnprepare, 2));
  const auto forget = node_.threads.Start("forget", [&] {
    EXPECT_OK(node_.manager().Forget({"default", "a", "a-uid"}, "alice"));
    EXPECT_EQ(gpu_.script().CallCount(kUnprepare), 2);
    EXPECT_THAT(node_.StateFile(), Not(HasSubstr("a-uid")));
  });
  gpu_.script().Release(kUnprepare, 2);
}

TEST_F(ClaimUnpreparationTest, AClaimWhoseReleaseCannotBeWrittenIsNotReportedAsReleased) {
  const Pod pod = Prepared("pod", {"a"});
  node_.drivers.Leave("gpu");
  EXPECT_FALSE(Unprepare(pod).ok());
  node_.faults.Arm({.ops = {FileOp::kRename}, .path_pattern = "dra_manager_state", .error = EIO});
  EXPECT_FALSE(node_.manager().Forget({"default", "a", "a-uid"}, "alice").ok());
  EXPECT_THAT(node_.log.lines(), Not(testing::Contains(HasLogField("who", "alice"))));
}

TEST_F(ClaimUnpreparationTest, AClaimThatIsFineCannotBeReleased) {
  Prepared("pod", {"a"});
  EXPECT_FALSE(node_.manager().Forget({"default", "a", "a-uid"}, "alice").ok());
  EXPECT_TRUE(MightNeedToUnprepare("pod"));
}

TEST_F(ClaimUnpreparationTest, WithoutAWriteBeforeNoDriverIsCalled) {
  const Pod pod = Prepared("pod", {"a"});
  node_.faults.Arm({.ops = {FileOp::kRename}, .path_pattern = "dra_manager_state", .error = EIO});
  EXPECT_THAT(Message(pod), HasSubstr("unprepare dynamic resources: checkpoint ResourceClaim state: "));
  EXPECT_EQ(gpu_.script().CallCount(kUnprepare), 0);
  EXPECT_OK(Unprepare(pod));
}

TEST_F(ClaimUnpreparationTest, ARemovalThatCannotBeWrittenIsAnErrorAndIsWrittenTheNextTime) {
  const Pod pod = Prepared("pod", {"a"});
  node_.faults.Arm({.ops = {FileOp::kRename}, .path_pattern = "dra_manager_state", .nth = 2, .error = EIO});
  EXPECT_THAT(Message(pod), HasSubstr("unprepare dynamic resources: checkpoint ResourceClaim state: "));
  ASSERT_OK(Unprepare(pod));
  EXPECT_THAT(node_.StateFile(), Not(HasSubstr("a-uid")));
}

TEST_F(ClaimUnpreparationTest, AForceDeletedPodsClaimIsNotMistakenForItsSuccessor) {
  Prepared("old", {"a"});
  node_.pods.Remove("old");
  ClaimObject next = ClaimOf("a", {"gpu"});
  next.id.uid = "next-uid";
  node_.claims.Set(next);
  const Pod pod = node_.AddPod("new", {"a"});
  EXPECT_FALSE(Prepare(pod).ok());
  node_.manager().Reconcile();
  EXPECT_THAT(gpu_.script().Calls().back().claim_uids, ElementsAre("a-uid"));
  ASSERT_OK(Prepare(pod));
  EXPECT_THAT(gpu_.PreparedClaims(), ElementsAre("next-uid"));
}

}  // namespace
}  // namespace kubelet_cm::dra
