#include "common/threads/real_condition.h"

#include <memory>

#include "common/clock/fake_clock.h"
#include "common/clock/real_clock.h"
#include "common/threads/real_threads.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

class RealConditionTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  RealThreads threads_{clock_};
};

// What a checkpoint writer needs: callers wait until the state that they numbered is durable.
TEST_F(RealConditionTest, ConditionWaitsForGuardedState) {
  Mutex mu;
  RealCondition written(clock_, "state 3 durable");
  int durable = 0;
  const auto writer = threads_.Start("writer", [&] {
    for (int i = 0; i < 3; ++i) {
      MutexLock lock(&mu);
      ++durable;
      written.NotifyAll();
    }
  });
  MutexLock lock(&mu);
  while (durable < 3) written.Wait(&mu);
  EXPECT_EQ(durable, 3);
}

TEST_F(RealConditionTest, NotifyAllWakesEveryWaiter) {
  Mutex mu;
  RealCondition open(clock_, "gate open");
  bool is_open = false;
  int woken = 0;
  const auto wait = [&] {
    MutexLock lock(&mu);
    while (!is_open) open.Wait(&mu);
    ++woken;
  };
  {
    const auto one = threads_.Start("one", wait);
    const auto other = threads_.Start("other", wait);
    MutexLock lock(&mu);
    is_open = true;
    open.NotifyAll();
  }
  MutexLock lock(&mu);
  EXPECT_EQ(woken, 2);
}

TEST_F(RealConditionTest, WaitUntilReportsThatTheDeadlineOfAFakeClockPassed) {
  Mutex mu;
  RealCondition never(clock_, "never");
  const MonotonicTime deadline = clock_.MonotonicNow() + absl::Seconds(5);
  const auto advancing = threads_.Start("advance", [&] {
    ASSERT_TRUE(clock_.AwaitAlarms(1));
    clock_.Advance(absl::Seconds(5));
  });
  MutexLock lock(&mu);
  while (never.WaitUntil(&mu, deadline)) {
  }
  EXPECT_EQ(clock_.MonotonicNow(), deadline);
}

TEST(RealConditionWithRealClockTest, WaitUntilReportsThatTheDeadlinePassed) {
  RealClock clock;
  Mutex mu;
  RealCondition never(clock, "never");
  const MonotonicTime deadline = clock.MonotonicNow() + absl::Milliseconds(2);
  MutexLock lock(&mu);
  while (never.WaitUntil(&mu, deadline)) {
  }
  EXPECT_GE(clock.MonotonicNow(), deadline);
}

using RealConditionDeathTest = RealConditionTest;

TEST_F(RealConditionDeathTest, WaitingWhileHoldingASecondMutexIsABug) {
  Mutex outer;
  Mutex mu;
  RealCondition never(clock_, "never");
  MutexLock outer_lock(&outer);
  MutexLock lock(&mu);
  EXPECT_DEATH(never.Wait(&mu), "waiting for 'never' while holding a Mutex");
}

TEST_F(RealConditionDeathTest, DestroyingItUnderAWaiterIsABug) {
  const auto destroy_under_waiter = [this] {
    Mutex mu;
    auto doomed = std::make_unique<RealCondition>(clock_, "the impossible");
    const auto waiter = threads_.Start("waiter", [&] {
      MutexLock lock(&mu);
      doomed->WaitUntil(&mu, clock_.MonotonicNow() + absl::Hours(1));
    });
    if (clock_.AwaitAlarms(1)) doomed.reset();
  };
  EXPECT_DEATH(destroy_under_waiter(), "destroyed while a thread waits for: the impossible");
}

}  // namespace
}  // namespace kubelet_cm
