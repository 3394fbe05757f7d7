// Everything at once, over real sockets: pods with shared claims come and go, drivers register, die, leave and come
// back in the middle of calls, the reconciler cleans up, and others look on. What must always hold (C1, C2) is checked
// throughout; ThreadSanitizer looks for the rest. Drivers change after so many pods and not after so much time, so that
// the test is as much on a slow machine.
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/random/seeded_random.h"
#include "common/threads/event.h"
#include "dra/dra_stack_fixture.h"
#include "gmock/gmock.h"

namespace kubelet_cm::dra {
namespace {

using fakes::FakeDraDriver;
using harness::ClaimOf;
using testing::IsEmpty;

constexpr int kKubelets = 3;
constexpr int kPodsEach = 40;    // that run
constexpr int kPodsPerTurn = 4;  // after so many that ran every driver changes

class DraStackStressTest : public DraStackFixture {
 protected:
  // A driver that the test changes, and when.
  struct ChangingDriver {
    std::unique_ptr<FakeDraDriver> driver;
    Event turn;
  };

  void SetUp() override {
    ASSERT_OK(Start("latest", absl::Milliseconds(1)));
    for (ChangingDriver* changing : {&gpu_, &nic_, &fpga_}) ASSERT_OK(Register(*changing->driver));
    claims_.Set(ClaimOf("gpu-only", {"gpu"}));
    claims_.Set(ClaimOf("both", {"gpu", "nic"}));
    claims_.Set(ClaimOf("fpga-only", {"fpga"}));
  }

  std::unique_ptr<FakeDraDriver> Driver(const std::string& name) {
    return Serve({.driver_name = name, .socket_name = name + ".sock", .health_apis = {DraHealthApi::kV1}});
  }

  bool Going() const { return at_work_ > 0; }

  void RunPods(int number) {
    SeededRandom random(static_cast<uint64_t>(number));
    const std::vector<std::vector<std::string>> choices = {
        {"gpu-only"}, {"both"}, {"gpu-only", "both"}, {"fpga-only", "both"}};
    int ran = 0;
    for (int i = 0; ran < kPodsEach; ++i) {
      const std::vector<std::string>& claims = choices[random.Below(choices.size())];
      const Pod pod = AddPod(absl::StrCat("pod-", number, "-", i), claims);
      if (stack_->manager().PrepareResources(pod).ok()) {
        ++ran;
        CheckItRuns(pod);
        if (++ran_ % kPodsPerTurn == 0) NextTurn();
      }
      End(pod, random);
    }
    --at_work_;
    NextTurn();
  }

  void NextTurn() {
    for (ChangingDriver* changing : {&gpu_, &nic_, &fpga_}) changing->turn.Set();
  }

  // C2: nobody takes what it was promised.
  void CheckItRuns(const Pod& pod) {
    for (int i = 0; i < 3; ++i) {
      for (const PodClaim& claim : pod.claims) {
        if (claim.name == "fpga-only") continue;  // a call of it that was cut may still be at work
        const std::string uid = *claim.object_name + "-uid";
        EXPECT_TRUE(gpu_.driver->PreparedClaims().contains(uid)) << pod.uid;
        EXPECT_TRUE(claim.name == "gpu-only" || nic_.driver->PreparedClaims().contains(uid)) << pod.uid;
      }
      EXPECT_OK(stack_->manager().GetResources(pod, pod.containers[0]));
      machine_.threads.Yield();
    }
  }

  void End(const Pod& pod, SeededRandom& random) {
    if (random.Below(4) != 0) {
      while (!stack_->manager().UnprepareResources(pod).ok()) machine_.threads.Yield();
      EXPECT_FALSE(stack_->manager().PodMightNeedToUnprepare(pod.uid));
    }
    pods_.Remove(pod.uid);  // one in four without a word
  }

  // Dies, and is back on its socket; every other time it was deregistered first and registers again. Once it is back,
  // nothing that it was asked before is under way.
  void DieAndComeBack(ChangingDriver& changing) {
    FakeDraDriver& driver = *changing.driver;
    for (int n = 0; Going(); ++n) {
      changing.turn.Wait();
      const bool leaves = n % 2 == 1;
      if (leaves) stack_->watcher_handler().DeregisterPlugin(driver.name(), driver.socket_path());
      driver.Kill();
      EXPECT_OK(driver.Start());
      EXPECT_OK(leaves ? Register(driver) : absl::OkStatus());
      driver.health().Publish({{.pool = "pool", .device = "dev-0", .health = HealthValue::kUnhealthy}});
      ++changes_;
    }
  }

  // Leaves and registers again, which cuts the calls that are under way.
  void RegisterAgain(ChangingDriver& changing) {
    const FakeDraDriver& driver = *changing.driver;
    while (Going()) {
      changing.turn.Wait();
      stack_->watcher_handler().DeregisterPlugin(driver.name(), driver.socket_path());
      EXPECT_OK(Register(driver, {"v1.DRAPlugin", "v1.DRAResourceHealth"}));
      ++changes_;
    }
  }

  void LookOn() {
    const Pod looker = harness::PodUsing("looker", {"both"});
    while (Going()) {
      DraManager& manager = stack_->manager();
      manager.StuckClaims();
      (void)manager.ContainerClaimInfos(looker, looker.containers[0]);
      (void)manager.GetResources(looker, looker.containers[0]);
      stack_->ClaimStatuses(looker, looker.containers[0]);
      manager.PodsUsing(std::vector<DeviceName>{{"gpu", "pool", "dev-0"}});
      (void)stack_->drivers().Find("nic");
      machine_.pod_updates.Take();
      machine_.metrics.Text();
      machine_.threads.Yield();
    }
  }

  ChangingDriver gpu_{Driver("gpu"), {machine_.threads, "the gpu's turn"}};
  ChangingDriver nic_{Driver("nic"), {machine_.threads, "the nic's turn"}};
  ChangingDriver fpga_{Driver("fpga"), {machine_.threads, "the fpga's turn"}};
  std::atomic<int> at_work_ = kKubelets;
  std::atomic<int> ran_ = 0;
  std::atomic<int> changes_ = 0;
};

TEST_F(DraStackStressTest, WhatWasPromisedHoldsAndInTheEndNothingIsLeft) {
  {
    std::vector<std::unique_ptr<Thread>> all;
    for (int number = 0; number < kKubelets; ++number) {
      all.push_back(machine_.threads.Start("pods", [this, number] { RunPods(number); }));
    }
    all.push_back(machine_.threads.Start("gpu", [this] { DieAndComeBack(gpu_); }));
    all.push_back(machine_.threads.Start("nic", [this] { DieAndComeBack(nic_); }));
    all.push_back(machine_.threads.Start("fpga", [this] { RegisterAgain(fpga_); }));
    all.push_back(machine_.threads.Start("looker", [this] { LookOn(); }));
  }
  EXPECT_GT(changes_, 0);
  // As soon as every driver is connected.
  ASSERT_TRUE(log_.Await([this] {
    stack_->manager().Reconcile();
    MutexLock lock(&stack_->manager().state().mu);
    return stack_->manager().state().table.claims().size() == 0;
  }));
  EXPECT_THAT(gpu_.driver->PreparedClaims(), IsEmpty());
  EXPECT_THAT(nic_.driver->PreparedClaims(), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::dra
