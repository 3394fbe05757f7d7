#include "common/threads/seeded_scheduler.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;

constexpr MonotonicTime kNever = MonotonicTime::InfiniteFuture();

class SeededSchedulerTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  const std::shared_ptr<SeededScheduler> scheduler_ =
      std::make_shared<SeededScheduler>(clock_, SeededScheduler::Options{.seed = 3, .traced = true});
};

TEST_F(SeededSchedulerTest, TraceIsWhatWasDone) {
  const MonotonicTime deadline = clock_.MonotonicNow() + absl::Minutes(5);
  EXPECT_OK(scheduler_->Run([&] {
    scheduler_->Step("think");
    scheduler_->Wait(this, "lunch", deadline);
  }));
  EXPECT_THAT(scheduler_->trace(), ElementsAre("main: think", "main: wait for 'lunch'", "clock: 5m", "main: end"));
}

TEST_F(SeededSchedulerTest, WaitEndsWithTheObjectThatItIsFor) {
  int one = 0;
  int other = 0;
  std::vector<std::string> log;
  EXPECT_OK(scheduler_->Run([&] {
    scheduler_->Spawn("one", [&] { scheduler_->Wait(&one, "one", kNever), log.push_back("one"); });
    scheduler_->Spawn("other", [&] { scheduler_->Wait(&other, "other", kNever), log.push_back("other"); });
    scheduler_->Wait(this, "both wait", clock_.MonotonicNow() + absl::Seconds(1));
    scheduler_->WakeAll(&other);
    scheduler_->Wait(this, "other is done", clock_.MonotonicNow() + absl::Seconds(1));
    scheduler_->WakeAll(&one);
  }));
  EXPECT_THAT(log, ElementsAre("other", "one"));
}

TEST_F(SeededSchedulerTest, StepUnderAMutexLetsNobodyElseRun) {
  Mutex mu;
  std::vector<std::string> log;
  EXPECT_OK(scheduler_->Run([&] {
    scheduler_->Spawn("other", [&] { log.push_back("other"); });
    MutexLock lock(&mu);
    log.clear();
    for (int i = 0; i < 100; ++i) scheduler_->Step("under the lock");
    log.push_back("main");
  }));
  EXPECT_EQ(log.front(), "main");
}

TEST_F(SeededSchedulerTest, WhatATaskCapturedIsGoneWhenItEnds) {
  auto captured = std::make_shared<int>(1);
  EXPECT_OK(scheduler_->Run([&] {
    const SeededScheduler::Task& task = scheduler_->Spawn("task", [copy = captured] {});
    scheduler_->WaitForEnd(task);
    EXPECT_EQ(captured.use_count(), 1);
  }));
}

using SeededSchedulerDeathTest = SeededSchedulerTest;

TEST_F(SeededSchedulerDeathTest, StartingATaskOutsideRunIsABug) {
  EXPECT_DEATH(scheduler_->Spawn("early", [] {}), "'early' is started outside Run");
}

}  // namespace
}  // namespace kubelet_cm
