#include "dra/claim_reconciler.h"

#include <memory>
#include <string>
#include <vector>

#include "common/status/status_matchers.h"
#include "dra/dra_node_fixture.h"
#include "dra/dra_parts_fixture.h"
#include "dra/driver_calls.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using fakes::DriverAct;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Le;

constexpr int kManyPods = 40;  // more than are unprepared at a time

class ClaimReconcilerTest : public DraNodeFixture {
 protected:
  // Each with a claim of the driver "gpu".
  void PrepareAndRemoveManyPods() {
    std::vector<std::string> names;
    for (int number = 0; number < kManyPods; ++number) names.push_back("many-" + std::to_string(number));
    for (const std::string& name : names) {
      node_.AddClaim(name, {"gpu"});
      Prepared(name, {name});
    }
    for (const std::string& name : names) node_.pods.Remove(name);
  }
};

TEST_F(ClaimReconcilerTest, PodsThatAreGoneAreUnpreparedAndOthersAreNot) {
  ASSERT_OK(node_.Start());
  Prepared("gone", {"a"});
  Prepared("here", {"b"});
  node_.pods.Remove("gone");
  node_.manager().Reconcile();
  EXPECT_THAT(gpu_.PreparedClaims(), ElementsAre("b-uid"));
  EXPECT_FALSE(MightNeedToUnprepare("gone"));
}

TEST_F(ClaimReconcilerTest, NothingIsDoneBeforeItIsKnownWhichPodsThereAre) {
  ASSERT_OK(node_.Start());
  ASSERT_TRUE(node_.clock.AwaitAlarms(1));  // its first look is over
  Prepared("gone", {"a"});
  node_.pods.Remove("gone");
  node_.pods.SetSourcesReady(false);
  node_.manager().Reconcile();
  EXPECT_EQ(gpu_.script().CallCount(kUnprepare), 0);
  node_.pods.SetSourcesReady(true);
  node_.manager().Reconcile();
  EXPECT_EQ(gpu_.script().CallCount(kUnprepare), 1);
}

TEST_F(ClaimReconcilerTest, ItRunsAtOnceAndAfterEachInterval) {
  ASSERT_OK(node_.Start());
  Prepared("first", {"a"});
  Prepared("second", {"b"});
  node_.Kill();
  node_.pods.Remove("first");
  ASSERT_OK(node_.Start("latest", {.reconcile_interval = absl::Seconds(7)}));
  ASSERT_OK(gpu_.script().WaitForCall(kUnprepare, 1));
  ASSERT_TRUE(node_.Await([&] { return !MightNeedToUnprepare("first"); }));
  node_.pods.Remove("second");
  ASSERT_TRUE(node_.clock.AwaitAlarms(1));
  node_.clock.Advance(absl::Seconds(7));
  ASSERT_OK(gpu_.script().WaitForCall(kUnprepare, 2));
}

TEST_F(ClaimReconcilerTest, WhatFailsIsLoggedAndTriedAgain) {
  ASSERT_OK(node_.Start());
  Prepared("gone", {"a"});
  node_.pods.Remove("gone");
  gpu_.script().At(kUnprepare, 1, {.act = DriverAct::kFail, .error = absl::UnavailableError("away")});
  node_.manager().Reconcile();
  EXPECT_THAT(
      node_.log.lines(),
      Contains(AllOf(IsLogLine(Severity::kInfo, "Unpreparing pod resources in reconcile loop failed, will retry"),
                     HasLogField("podUID", "gone"))));
  node_.manager().Reconcile();
  EXPECT_THAT(gpu_.PreparedClaims(), IsEmpty());
}

TEST_F(ClaimReconcilerTest, OneDriverThatHangsDoesNotKeepOthersWaiting) {
  node_.AddClaim("c", {"nic"});
  ASSERT_OK(node_.Start());
  Prepared("p1", {"a"});
  Prepared("p2", {"c"});
  // Before the reconciler's first look of its own can find anything.
  gpu_.script().At(kUnprepare, 1, {.held = true});
  node_.pods.Remove("p1");
  node_.pods.Remove("p2");
  const auto reconcile = node_.threads.Start("reconcile", [&] { node_.manager().Reconcile(); });
  ASSERT_OK(nic_.script().WaitForCall(kUnprepare, 1));
  gpu_.script().Release(kUnprepare, 1);
}

TEST_F(ClaimReconcilerTest, ADriverThatHangsForManyPodsKeepsNoOthersWaiting) {
  node_.AddClaim("c", {"nic"});
  ASSERT_OK(node_.Start());
  for (int call = 1; call <= kManyPods; ++call) gpu_.script().At(kUnprepare, call, {.held = true});
  Prepared("zz-last", {"c"});
  PrepareAndRemoveManyPods();
  node_.pods.Remove("zz-last");
  const auto reconcile = node_.threads.Start("reconcile", [&] { node_.manager().Reconcile(); });
  EXPECT_OK(nic_.script().WaitForCall(kUnprepare, 1));
  for (int call = 1; call <= kManyPods; ++call) gpu_.script().Release(kUnprepare, call);
}

TEST_F(ClaimReconcilerTest, ADriverThatDoesNotAnswerInTimeIsNotAskedAboutEveryPodInOneRun) {
  ASSERT_OK(node_.Start());
  for (int call = 1; call <= kManyPods; ++call) {
    gpu_.script().At(kUnprepare, call, {.act = DriverAct::kFail, .error = absl::DeadlineExceededError("hangs")});
  }
  PrepareAndRemoveManyPods();
  node_.manager().Reconcile();
  EXPECT_THAT(gpu_.script().CallCount(kUnprepare), Le(16));
  for (int run = 0; run < kManyPods; ++run) node_.manager().Reconcile();
  EXPECT_THAT(gpu_.PreparedClaims(), IsEmpty());
}

TEST_F(ClaimReconcilerTest, KubeletsUntil130HaveNoSuchLoop) {
  ASSERT_OK(node_.Start("1.30"));
  Prepared("gone", {"a"});
  node_.Kill();
  node_.pods.Remove("gone");
  ASSERT_OK(node_.Start("1.30"));
  // A loop would wait for its next look by now.
  EXPECT_FALSE(node_.clock.AwaitAlarms(1, absl::Milliseconds(100)));
  node_.clock.Advance(absl::Minutes(10));
  EXPECT_EQ(gpu_.script().CallCount(kUnprepare), 0);
}

// Pods of which one comes back when it was looked for once.
class GrowingPods : public ActivePods {
 public:
  bool SourcesReady() const override { return true; }
  std::shared_ptr<const PodUids> Uids() const override {
    return std::make_shared<PodUids>(looks_++ == 0 ? PodUids() : PodUids{"pod"});
  }
  uint64_t Departures() const override { return 0; }

 private:
  mutable int looks_ = 0;
};

using ReconcilerRaceTest = DraPartsFixture;

TEST_F(ReconcilerRaceTest, APodThatIsBackWhenItsTurnComesKeepsItsClaims) {
  ASSERT_OK(CallDrivers(parts_, DraCall::kPrepare, Plan(SampleClaim("a"))));
  const GrowingPods pods;
  ClaimReconciler reconciler(parts_, pods, {.start = false});
  reconciler.RunOnce();
  EXPECT_EQ(Claims(), 1u);
}

}  // namespace
}  // namespace kubelet_cm::dra
