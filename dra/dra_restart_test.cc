// Managers that are killed and started again: what they know, what they ask drivers again, and what they leave alone.
#include <memory>
#include <string>
#include <vector>

#include "common/status/status_matchers.h"
#include "dra/dra_manager.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/dra_node.h"

namespace kubelet_cm::dra {
namespace {

using fakes::DriverMethod;
using fakes::ScriptedDriver;
using harness::DraNode;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr DriverMethod kPrepare = DriverMethod::kPrepare;
constexpr DriverMethod kUnprepare = DriverMethod::kUnprepare;

class DraRestartTest : public testing::Test {
 protected:
  DraRestartTest() {
    node_.AddClaim("a", {"gpu"});
    node_.AddClaim("b", {"gpu"});
  }
  void Start(std::string_view kubelet = "latest", DraManagerOptions options = {}, NodeStart found = {}) {
    ASSERT_OK(node_.Start(kubelet, options, found));
  }
  Pod Prepared(const std::string& uid, const std::vector<std::string>& claims) {
    Pod pod = node_.AddPod(uid, claims);
    EXPECT_OK(node_.manager().PrepareResources(pod));
    return pod;
  }

  DraNode node_;
  ScriptedDriver& gpu_ = node_.drivers.Add("gpu");
};

TEST_F(DraRestartTest, WhatWasPreparedIsKnownAndNotPreparedAgain) {
  Start();
  const Pod pod = Prepared("pod", {"a"});
  node_.Kill();
  Start();
  EXPECT_OK(node_.manager().GetResources(pod, pod.containers[0]));
  ASSERT_OK(node_.manager().PrepareResources(pod));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 1);
  ASSERT_OK(node_.manager().UnprepareResources(pod));
  EXPECT_THAT(gpu_.PreparedClaims(), IsEmpty());
}

TEST_F(DraRestartTest, ADriverThatPreparedWithoutDevicesIsKnownToHave) {
  gpu_.script().Always(kPrepare, {.act = fakes::DriverAct::kNoDevices});
  Start();
  const Pod pod = Prepared("pod", {"a"});
  node_.Kill();
  Start();
  ASSERT_OK(node_.manager().PrepareResources(pod));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 1);
}

TEST_F(DraRestartTest, OnRequestAndAsAKubeletDriversAreAlwaysCalledAgain) {
  Start();
  const Pod pod = Prepared("pod", {"a"});
  node_.Kill();
  Start("latest", {.trust_devices = false});
  ASSERT_OK(node_.manager().PrepareResources(pod));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 2);
  node_.Kill();
  Start("1.37");
  ASSERT_OK(node_.manager().PrepareResources(pod));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 3);
}

TEST_F(DraRestartTest, AfterABootDriversAreCalledAgainEvenIfTheNextStartComesFirst) {
  Start();
  const Pod pod = Prepared("pod", {"a"});
  node_.Kill();
  Start("latest", {}, {.rebooted = true});
  node_.Kill();
  Start();
  ASSERT_OK(node_.manager().PrepareResources(pod));
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
  gpu_.script().At(kPrepare, 1, {.held = true});
  const Pod pod = node_.AddPod("pod", {"a"});
  {
    const auto caller =
        node_.threads.Start("prepare", [&] { EXPECT_FALSE(node_.manager().PrepareResources(pod).ok()); });
    ASSERT_OK(gpu_.script().WaitForCall(kPrepare, 1));
    node_.Cut();
  }
  node_.Kill();
  Start();
  ASSERT_OK(node_.manager().PrepareResources(pod));
  EXPECT_THAT(gpu_.PreparedClaims(), ElementsAre("a-uid"));
}

TEST_F(DraRestartTest, APrepareThatWasCutIsUndoneIfThePodIsGone) {
  Start();
  gpu_.script().At(kPrepare, 1, {.held = true});
  const Pod pod = node_.AddPod("pod", {"a"});
  {
    const auto caller =
        node_.threads.Start("prepare", [&] { EXPECT_FALSE(node_.manager().PrepareResources(pod).ok()); });
    ASSERT_OK(gpu_.script().WaitForCall(kPrepare, 1));
    node_.Cut();
  }
  node_.Kill();
  node_.pods.Remove("pod");
  Start();
  ASSERT_OK(gpu_.script().WaitForCall(kUnprepare, 1));
  EXPECT_TRUE(node_.Await([&] { return !node_.manager().PodMightNeedToUnprepare("pod"); }));
}

TEST_F(DraRestartTest, AnUnprepareThatWasCutIsFinishedByTheReconciler) {
  Start();
  const Pod pod = Prepared("pod", {"a"});
  gpu_.script().At(kUnprepare, 1, {.held = true});
  {
    const auto caller =
        node_.threads.Start("unprepare", [&] { EXPECT_FALSE(node_.manager().UnprepareResources(pod).ok()); });
    ASSERT_OK(gpu_.script().WaitForCall(kUnprepare, 1));
    node_.Cut();
  }
  node_.Kill();
  node_.pods.Remove("pod");
  Start();
  EXPECT_TRUE(node_.Await([&] { return gpu_.PreparedClaims().empty(); }));
}

// The driver may have undone it before the kill.
TEST_F(DraRestartTest, AClaimWhoseUnprepareWasCutIsPreparedAgainForWhoeverNeedsIt) {
  Start();
  const Pod pod = Prepared("pod", {"a"});
  gpu_.script().At(kUnprepare, 1, {.held = true});
  {
    const auto caller =
        node_.threads.Start("unprepare", [&] { EXPECT_FALSE(node_.manager().UnprepareResources(pod).ok()); });
    ASSERT_OK(gpu_.script().WaitForCall(kUnprepare, 1));
    node_.Cut();
  }
  node_.Kill();
  Start();
  ASSERT_OK(node_.manager().PrepareResources(node_.AddPod("other", {"a"})));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 2);
}

}  // namespace
}  // namespace kubelet_cm::dra
