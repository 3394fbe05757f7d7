// Everything at once: pods with shared claims come and go, drivers leave, come back and fail, a reconciler cleans up,
// and others look on. What must always hold (C1, C2) is checked throughout; ThreadSanitizer looks for the rest.
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "dra/dra_manager.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/dra_node.h"

namespace kubelet_cm::dra {
namespace {

using fakes::DriverAct;
using fakes::DriverMethod;
using fakes::ScriptedDriver;
using harness::DraNode;
using testing::IsEmpty;

constexpr int kKubelets = 4;
constexpr int kPodsEach = 60;

class DraStressTest : public testing::Test {
 protected:
  DraStressTest() {
    EXPECT_OK(node_.Start());
    node_.AddClaim("gpu-only", {"gpu"});
    node_.AddClaim("nic-only", {"nic"});
    node_.AddClaim("both", {"gpu", "nic"});
    for (ScriptedDriver* driver : {&gpu_, &nic_}) {
      for (int n = 5; n < 2000; n += 7) driver->script().At(DriverMethod::kPrepare, n, {.act = DriverAct::kClaimError});
      for (int n = 4; n < 2000; n += 9) driver->script().At(DriverMethod::kUnprepare, n, {.act = DriverAct::kFail});
    }
  }

  bool Going() const { return at_work_ > 0; }

  void RunPods(int number) {
    SeededRandom random(static_cast<uint64_t>(number));
    const std::vector<std::vector<std::string>> choices = {
        {"gpu-only"}, {"both"}, {"gpu-only", "both"}, {"nic-only", "both"}};
    for (int i = 0; i < kPodsEach; ++i) {
      const std::vector<std::string>& claims = choices[random.Below(choices.size())];
      const Pod pod = node_.AddPod(absl::StrCat("pod-", number, "-", i), claims);
      if (node_.manager().PrepareResources(pod).ok()) {
        ++prepared_;
        CheckItRuns(pod);
      }
      End(pod, random);
    }
    --at_work_;
  }

  // C2: nobody takes what it was promised.
  void CheckItRuns(const Pod& pod) {
    for (int i = 0; i < 3; ++i) {
      for (const PodClaim& claim : pod.claims) {
        const std::string uid = *claim.object_name + "-uid";
        EXPECT_TRUE(claim.name == "nic-only" || gpu_.PreparedClaims().contains(uid)) << pod.uid;
        EXPECT_TRUE(claim.name == "gpu-only" || nic_.PreparedClaims().contains(uid)) << pod.uid;
      }
      EXPECT_OK(node_.manager().GetResources(pod, pod.containers[0]));
      node_.threads.Yield();
    }
  }

  void End(const Pod& pod, SeededRandom& random) {
    if (random.Below(4) != 0) {
      while (!node_.manager().UnprepareResources(pod).ok()) node_.threads.Yield();
      EXPECT_FALSE(node_.manager().PodMightNeedToUnprepare(pod.uid));
    }
    node_.pods.Remove(pod.uid);  // one in four without a word
  }

  void LeaveAndComeBack() {
    while (Going()) {
      node_.drivers.Leave("nic");
      node_.threads.Yield();
      node_.drivers.ComeBack("nic");
      for (int i = 0; i < 50; ++i) node_.threads.Yield();
    }
  }

  void LookOn() {
    const Pod looker = harness::PodUsing("looker", {"both"});
    const auto health = [](const DeviceName&) { return DeviceCondition{}; };
    while (Going()) {
      DraManager& manager = node_.manager();
      manager.StuckClaims();
      (void)manager.ContainerClaimInfos(looker, looker.containers[0]);
      manager.ClaimStatuses(looker, looker.containers[0], health);
      manager.PodsUsing(std::vector<DeviceName>{{"gpu", "pool", "dev-0"}});
      manager.writes();
    }
  }

  void Reconcile() {
    while (Going()) node_.manager().Reconcile();
  }

  DraNode node_;
  ScriptedDriver& gpu_ = node_.drivers.Add("gpu");
  ScriptedDriver& nic_ = node_.drivers.Add("nic");
  std::atomic<int> at_work_ = kKubelets;
  std::atomic<int> prepared_ = 0;
};

TEST_F(DraStressTest, WhatWasPromisedHoldsAndInTheEndNothingIsLeft) {
  {
    std::vector<std::unique_ptr<Thread>> all;
    for (int number = 0; number < kKubelets; ++number) {
      all.push_back(node_.threads.Start("pods", [this, number] { RunPods(number); }));
    }
    all.push_back(node_.threads.Start("leaver", [this] { LeaveAndComeBack(); }));
    all.push_back(node_.threads.Start("looker", [this] { LookOn(); }));
    all.push_back(node_.threads.Start("reconciler", [this] { Reconcile(); }));
  }
  EXPECT_GT(prepared_, 0);
  for (int i = 0; i < 3; ++i) node_.manager().Reconcile();  // calls may fail still
  EXPECT_THAT(gpu_.PreparedClaims(), IsEmpty());
  EXPECT_THAT(nic_.PreparedClaims(), IsEmpty());
  MutexLock lock(&node_.manager().state().mu);
  EXPECT_EQ(node_.manager().state().table.claims().size(), 0u);
}

}  // namespace
}  // namespace kubelet_cm::dra
