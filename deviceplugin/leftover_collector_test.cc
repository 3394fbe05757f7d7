#include "deviceplugin/leftover_collector.h"

#include "common/clock/fake_clock.h"
#include "common/log/capturing_logger.h"
#include "common/node/fake_active_pods.h"
#include "common/status/status_matchers.h"
#include "common/threads/seeded_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using testing::ElementsAre;

class LeftoverCollectorTest : public testing::Test {
 protected:
  void Hold(const std::string& pod, const std::string& device) {
    pods_.Add(pod);
    MutexLock lock(&state_.mu);
    const auto reservation = state_.ledger.Reserve({pod, "main", "example.com/device"}, {device});
    ASSERT_TRUE(state_.ledger.Commit(*reservation, {{-1, DeviceIds{device}}}, "").ok());
  }
  std::vector<std::string> Holders() {
    MutexLock lock(&state_.mu);
    return state_.ledger.PodsWithEntries();
  }
  uint64_t Number() {
    MutexLock lock(&state_.mu);
    return state_.number;
  }

  CapturingLogger log_;
  FakeActivePods pods_;
  std::vector<CheckpointProblem> problems_;
  DeviceState state_{{}, MonotonicTime(), &problems_};
  LeftoverCollector collector_{pods_, state_, log_};
};

TEST_F(LeftoverCollectorTest, OnlyDepartedPodsLoseWhatTheyHold) {
  Hold("a", "dev-0");
  Hold("b", "dev-1");
  pods_.Remove("a");
  EXPECT_TRUE(collector_.Collect());
  EXPECT_THAT(Holders(), ElementsAre("b"));
  EXPECT_EQ(Number(), 1u);
  EXPECT_THAT(log_.lines(), ElementsAre(IsLogLine(Severity::kInfo, "Pods to be removed")));
}

TEST_F(LeftoverCollectorTest, WithoutADepartureNothingIsLookedAt) {
  Hold("a", "dev-0");
  EXPECT_FALSE(collector_.Collect());
  EXPECT_FALSE(collector_.Collect());
  EXPECT_EQ(Number(), 0u);
}

TEST_F(LeftoverCollectorTest, BeforeAllSourcesAreReadyNothingIsLeftOver) {
  pods_.SetSourcesReady(false);
  Hold("a", "dev-0");
  pods_.Remove("a");
  EXPECT_FALSE(collector_.Collect());
  EXPECT_THAT(Holders(), ElementsAre("a"));
  pods_.SetSourcesReady(true);
  EXPECT_TRUE(collector_.Collect());
}

TEST_F(LeftoverCollectorTest, AReservationIsNotALeftover) {
  {
    MutexLock lock(&state_.mu);
    ASSERT_TRUE(state_.ledger.Reserve({"a", "main", "example.com/device"}, {"dev-0"}).ok());
  }
  pods_.Add("other");
  pods_.Remove("other");
  EXPECT_FALSE(collector_.Collect());
  MutexLock lock(&state_.mu);
  EXPECT_TRUE(state_.ledger.IsTaken("example.com/device", "dev-0"));
}

// As an admission does that outlasts its pod.
TEST_F(LeftoverCollectorTest, WhatAPodGetsAfterItsDepartureIsCollectedOnceThatIsSaid) {
  pods_.Add("late");
  pods_.Remove("late");
  EXPECT_FALSE(collector_.Collect());
  {
    MutexLock lock(&state_.mu);
    const auto reservation = state_.ledger.Reserve({"late", "main", "example.com/device"}, {"dev-0"});
    ASSERT_TRUE(state_.ledger.Commit(*reservation, {{-1, DeviceIds{"dev-0"}}}, "").ok());
  }
  collector_.LookAgain();
  EXPECT_TRUE(collector_.Collect());
  EXPECT_THAT(Holders(), testing::IsEmpty());
  EXPECT_FALSE(collector_.Collect());
}

// A pod's manifest can go and come back, with the same uid.
class ReadmissionTest : public LeftoverCollectorTest, public testing::WithParamInterface<uint64_t> {
 protected:
  // As an admission does: a pod that has its devices already needs no others.
  void Admit(const std::string& pod, const std::string& device) {
    pods_.Add(pod);
    MutexLock lock(&state_.mu);
    if (state_.ledger.HasEntries(pod)) return;
    const auto reservation = state_.ledger.Reserve({pod, "main", "example.com/device"}, {device});
    ASSERT_TRUE(state_.ledger.Commit(*reservation, {{-1, DeviceIds{device}}}, "").ok());
  }
};

TEST_P(ReadmissionTest, APodThatComesBackMeanwhileHasItsDevices) {
  Hold("a", "dev-0");
  pods_.Remove("a");
  FakeClock clock;
  SeededThreads threads(clock, {.seed = GetParam()});
  ASSERT_OK(threads.Run([&] {
    const auto collecting = threads.Start("collect", [&] { collector_.Collect(); });
    Admit("a", "dev-0");
  }));
  EXPECT_THAT(Holders(), ElementsAre("a"));
}

INSTANTIATE_TEST_SUITE_P(Seeds, ReadmissionTest, testing::Range<uint64_t>(0, 50));

}  // namespace
}  // namespace kubelet_cm::deviceplugin
