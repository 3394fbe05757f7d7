// Managers that are killed and started again: what they know, what they ask drivers again, and what they leave alone.
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "common/personality/personality.h"
#include "common/status/status_matchers.h"
#include "dra/checkpoint/dra_reading.h"
#include "dra/checkpoint/dra_writing.h"
#include "dra/dra_manager.h"
#include "dra/dra_node_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class DraRestartTest : public DraNodeFixture {
 protected:
  void Start(std::string_view kubelet = "latest", DraManagerOptions options = {}, NodeStart found = {}) {
    ASSERT_OK(node_.Start(kubelet, options, found));
  }
  // Kills the manager in the middle of `operation`: while the driver is called by `method` for the first time.
  void KillDuring(fakes::DriverMethod method, absl::FunctionRef<absl::Status()> operation) {
    gpu_.script().At(method, 1, {.held = true});
    {
      const auto caller = node_.threads.Start("caller", [&] { EXPECT_FALSE(operation().ok()); });
      ASSERT_OK(gpu_.script().WaitForCall(method, 1));
      node_.Cut();
    }
    node_.Kill();
  }
};

TEST_F(DraRestartTest, WhatWasPreparedIsKnownAndNotPreparedAgain) {
  Start();
  const Pod pod = Prepared("pod", {"a"});
  node_.Kill();
  Start();
  EXPECT_OK(node_.manager().GetResources(pod, pod.containers[0]));
  ASSERT_OK(Prepare(pod));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 1);
  ASSERT_OK(Unprepare(pod));
  EXPECT_THAT(gpu_.PreparedClaims(), IsEmpty());
}

TEST_F(DraRestartTest, ADriverThatPreparedWithoutDevicesIsKnownToHave) {
  gpu_.script().Always(kPrepare, {.act = fakes::DriverAct::kNoDevices});
  Start();
  const Pod pod = Prepared("pod", {"a"});
  node_.Kill();
  Start();
  ASSERT_OK(Prepare(pod));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 1);
}

TEST_F(DraRestartTest, OnRequestAndAsAKubeletDriversAreAlwaysCalledAgain) {
  Start();
  const Pod pod = Prepared("pod", {"a"});
  node_.Kill();
  Start("latest", {.trust_devices = false});
  ASSERT_OK(Prepare(pod));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 2);
  node_.Kill();
  Start("1.37");
  ASSERT_OK(Prepare(pod));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 3);
}

// Devices in a kubelet's file do not say that they are still prepared: it keeps them there when an unprepare has
// failed.
TEST_F(DraRestartTest, WhatAKubeletWroteLastIsKnownAndPreparedAgain) {
  Start();
  const Pod pod = Prepared("pod", {"a"});
  node_.Kill();
  Start("1.37");
  Prepared("other", {"b"});
  node_.Kill();
  const int before = gpu_.script().CallCount(kPrepare);
  Start();
  EXPECT_OK(node_.manager().GetResources(pod, pod.containers[0]));
  ASSERT_OK(Prepare(pod));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), before + 1);
  ASSERT_OK(Unprepare(pod));
  EXPECT_THAT(gpu_.PreparedClaims(), ElementsAre("b-uid"));
}

TEST_F(DraRestartTest, WhatIsTrustedIsSaidBesideTheFileWhichIsAKubeletsToTheByte) {
  Start();
  Prepared("pod", {"a"});
  const std::string bytes = node_.StateFile();
  const DraReading reading = ReadDraCheckpointAs(LatestPersonality(), bytes);
  ASSERT_TRUE(reading.valid());
  EXPECT_EQ(WriteDraCheckpoint(reading.claims, DraFormat::k137).bytes, bytes);
}

TEST_F(DraRestartTest, AKubeletThatWasHereAndWroteNothingIsNoReasonForTrustEither) {
  Start();
  const Pod pod = Prepared("pod", {"a"});
  node_.Kill();
  Start("1.37");
  node_.Kill();
  Start();
  ASSERT_OK(Prepare(pod));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 2);
}

TEST_F(DraRestartTest, WhoeverElseHadTheNodeIsAReasonToCallDriversAgain) {
  Start();
  const Pod pod = Prepared("pod", {"a"});
  node_.Kill();
  Start("latest", {}, {.had_others = true});
  node_.Kill();
  Start();  // which nobody tells
  EXPECT_OK(node_.manager().GetResources(pod, pod.containers[0]));
  ASSERT_OK(Prepare(pod));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 2);
}

TEST_F(DraRestartTest, NothingVouchesForAClaimBecauseAnotherOneWasPreparedAgain) {
  Start("1.37");
  const Pod one = Prepared("one", {"a"});
  const Pod other = Prepared("other", {"b"});
  node_.Kill();
  Start();
  ASSERT_OK(Prepare(one));
  node_.Kill();
  Start();
  const int before = gpu_.script().CallCount(kPrepare);
  ASSERT_OK(Prepare(other));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), before + 1);
  ASSERT_OK(Prepare(one));
  node_.Kill();
  Start();
  ASSERT_OK(Prepare(one));
  ASSERT_OK(Prepare(other));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), before + 2);
}

TEST_F(DraRestartTest, AfterABootDriversAreCalledAgainEvenIfTheNextStartComesFirst) {
  Start();
  const Pod pod = Prepared("pod", {"a"});
  node_.Kill();
  Start("latest", {}, {.rebooted = true});
  node_.Kill();
  Start();
  ASSERT_OK(Prepare(pod));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 2);
}

TEST_F(DraRestartTest, RestartsLeaveTheFileAsItIs) {  // C4
  Start();
  Prepared("pod", {"a", "b"});
  const std::string file = node_.StateFile();
  for (int i = 0; i < 5; ++i) {
    node_.Kill();
    Start();
    node_.manager().Reconcile();
    EXPECT_EQ(node_.StateFile(), file);
  }
}

TEST_F(DraRestartTest, APrepareThatWasCutIsRepeatedIfThePodIsStillThere) {
  Start();
  const Pod pod = node_.AddPod("pod", {"a"});
  KillDuring(kPrepare, [&] { return Prepare(pod); });
  Start();
  ASSERT_OK(Prepare(pod));
  EXPECT_THAT(gpu_.PreparedClaims(), ElementsAre("a-uid"));
}

TEST_F(DraRestartTest, APrepareThatWasCutIsUndoneIfThePodIsGone) {
  Start();
  const Pod pod = node_.AddPod("pod", {"a"});
  KillDuring(kPrepare, [&] { return Prepare(pod); });
  node_.pods.Remove("pod");
  Start();
  ASSERT_OK(gpu_.script().WaitForCall(kUnprepare, 1));
  EXPECT_TRUE(node_.Await([&] { return !MightNeedToUnprepare("pod"); }));
}

TEST_F(DraRestartTest, AnUnprepareThatWasCutIsFinishedByTheReconciler) {
  Start();
  const Pod pod = Prepared("pod", {"a"});
  KillDuring(kUnprepare, [&] { return Unprepare(pod); });
  node_.pods.Remove("pod");
  Start();
  EXPECT_TRUE(node_.Await([&] { return gpu_.PreparedClaims().empty(); }));
}

// The driver may have undone it before the kill.
TEST_F(DraRestartTest, AClaimWhoseUnprepareWasCutIsPreparedAgainForWhoeverNeedsIt) {
  Start();
  const Pod pod = Prepared("pod", {"a"});
  KillDuring(kUnprepare, [&] { return Unprepare(pod); });
  Start();
  ASSERT_OK(Prepare(node_.AddPod("other", {"a"})));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 2);
}

}  // namespace
}  // namespace kubelet_cm::dra
