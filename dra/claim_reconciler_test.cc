#include "dra/claim_reconciler.h"

#include <memory>
#include <string>
#include <vector>

#include "common/status/status_matchers.h"
#include "dra/dra_parts_fixture.h"
#include "dra/driver_calls.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/dra_node.h"

namespace kubelet_cm::dra {
namespace {

using fakes::DriverAct;
using fakes::DriverMethod;
using fakes::ScriptedDriver;
using harness::DraNode;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr DriverMethod kUnprepare = DriverMethod::kUnprepare;

class ClaimReconcilerTest : public testing::Test {
 protected:
  ClaimReconcilerTest() {
    node_.AddClaim("a", {"gpu"});
    node_.AddClaim("b", {"gpu"});
  }
  void Prepare(const std::string& uid, const std::vector<std::string>& claims) {
    ASSERT_OK(node_.manager().PrepareResources(node_.AddPod(uid, claims)));
  }

  DraNode node_;
  ScriptedDriver& gpu_ = node_.drivers.Add("gpu");
};

TEST_F(ClaimReconcilerTest, PodsThatAreGoneAreUnpreparedAndOthersAreNot) {
  ASSERT_OK(node_.Start());
  Prepare("gone", {"a"});
  Prepare("here", {"b"});
  node_.pods.Remove("gone");
  node_.manager().Reconcile();
  EXPECT_THAT(gpu_.PreparedClaims(), ElementsAre("b-uid"));
  EXPECT_FALSE(node_.manager().PodMightNeedToUnprepare("gone"));
}

TEST_F(ClaimReconcilerTest, NothingIsDoneBeforeItIsKnownWhichPodsThereAre) {
  ASSERT_OK(node_.Start());
  Prepare("gone", {"a"});
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
  Prepare("first", {"a"});
  Prepare("second", {"b"});
  node_.Kill();
  node_.pods.Remove("first");
  ASSERT_OK(node_.Start("latest", {.reconcile_interval = absl::Seconds(7)}));
  ASSERT_OK(gpu_.script().WaitForCall(kUnprepare, 1));
  ASSERT_TRUE(node_.Await([&] { return !node_.manager().PodMightNeedToUnprepare("first"); }));
  node_.pods.Remove("second");
  ASSERT_TRUE(node_.clock.AwaitAlarms(1));
  node_.clock.Advance(absl::Seconds(7));
  ASSERT_OK(gpu_.script().WaitForCall(kUnprepare, 2));
}

TEST_F(ClaimReconcilerTest, WhatFailsIsLoggedAndTriedAgain) {
  ASSERT_OK(node_.Start());
  Prepare("gone", {"a"});
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
  ScriptedDriver& nic = node_.drivers.Add("nic");
  node_.AddClaim("c", {"nic"});
  ASSERT_OK(node_.Start());
  Prepare("p1", {"a"});
  Prepare("p2", {"c"});
  node_.pods.Remove("p1");
  node_.pods.Remove("p2");
  gpu_.script().At(kUnprepare, 1, {.held = true});
  const auto reconcile = node_.threads.Start("reconcile", [&] { node_.manager().Reconcile(); });
  ASSERT_OK(nic.script().WaitForCall(kUnprepare, 1));
  gpu_.script().Release(kUnprepare, 1);
}

TEST_F(ClaimReconcilerTest, KubeletsUntil130HaveNoSuchLoop) {
  ASSERT_OK(node_.Start("1.30"));
  Prepare("gone", {"a"});
  node_.Kill();
  node_.pods.Remove("gone");
  ASSERT_OK(node_.Start("1.30"));
  node_.clock.Advance(absl::Minutes(10));
  EXPECT_EQ(gpu_.script().CallCount(kUnprepare), 0);
}

// Pods of which one comes between two looks.
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

TEST_F(ReconcilerRaceTest, APodThatComesBetweenTwoLooksIsNotTakenForGone) {
  ASSERT_OK(CallDrivers(parts_, DraCall::kPrepare, Plan(SampleClaim("a"))));
  const GrowingPods pods;
  ClaimReconciler reconciler(parts_, pods, {.start = false});
  reconciler.RunOnce();
  EXPECT_EQ(Claims(), 1u);
}

}  // namespace
}  // namespace kubelet_cm::dra
