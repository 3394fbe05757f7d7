#include "common/threads/real_threads.h"

#include <pthread.h>

#include <array>
#include <atomic>
#include <memory>
#include <string>

#include "common/clock/fake_clock.h"
#include "common/clock/real_clock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

std::string NameOfThisThread() {
  std::array<char, 16> name = {};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  return name.data();
}

class RealThreadsTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  RealThreads threads_{clock_};
};

TEST_F(RealThreadsTest, DestroyingAThreadWaitsForItsEnd) {
  bool ran = false;
  threads_.Start("runs", [&] { ran = true; }).reset();
  EXPECT_TRUE(ran);
}

TEST_F(RealThreadsTest, ThreadCarriesItsName) {
  std::string seen;
  threads_.Start("checkpoint-writer", [&] { seen = NameOfThisThread(); }).reset();
  EXPECT_EQ(seen, "checkpoint-writ");
}

// What a checkpoint writer needs: callers wait until the state that they numbered is durable.
TEST_F(RealThreadsTest, ConditionWaitsForGuardedState) {
  Mutex mu;
  const auto written = threads_.NewCondition("state 3 durable");
  int durable = 0;
  const auto writer = threads_.Start("writer", [&] {
    for (int i = 0; i < 3; ++i) {
      MutexLock lock(&mu);
      ++durable;
      written->NotifyAll();
    }
  });
  MutexLock lock(&mu);
  while (durable < 3) written->Wait(&mu);
  EXPECT_EQ(durable, 3);
}

TEST_F(RealThreadsTest, NotifyAllWakesEveryWaiter) {
  Mutex mu;
  const auto open = threads_.NewCondition("gate open");
  bool is_open = false;
  const auto wait = [&] {
    MutexLock lock(&mu);
    while (!is_open) open->Wait(&mu);
  };
  const auto one = threads_.Start("one", wait);
  const auto other = threads_.Start("other", wait);
  MutexLock lock(&mu);
  is_open = true;
  open->NotifyAll();
}

TEST_F(RealThreadsTest, WaitUntilReportsThatTheDeadlineOfAFakeClockPassed) {
  Mutex mu;
  const auto never = threads_.NewCondition("never");
  const MonotonicTime deadline = clock_.MonotonicNow() + absl::Seconds(5);
  const auto advancing = threads_.Start("advance", [&] {
    ASSERT_TRUE(clock_.AwaitAlarms(1));
    clock_.Advance(absl::Seconds(5));
  });
  MutexLock lock(&mu);
  while (never->WaitUntil(&mu, deadline)) {
  }
  EXPECT_EQ(clock_.MonotonicNow(), deadline);
}

TEST(RealThreadsWithRealClockTest, WaitUntilReportsThatTheDeadlinePassed) {
  RealClock clock;
  RealThreads threads(clock);
  Mutex mu;
  const auto never = threads.NewCondition("never");
  const MonotonicTime deadline = clock.MonotonicNow() + absl::Milliseconds(2);
  MutexLock lock(&mu);
  while (never->WaitUntil(&mu, deadline)) {
  }
  EXPECT_GE(clock.MonotonicNow(), deadline);
}

using RealThreadsDeathTest = RealThreadsTest;

TEST_F(RealThreadsDeathTest, WaitingWhileHoldingASecondMutexIsABug) {
  Mutex outer;
  Mutex mu;
  const auto never = threads_.NewCondition("never");
  MutexLock outer_lock(&outer);
  MutexLock lock(&mu);
  EXPECT_DEATH(never->Wait(&mu), "waiting for 'never' while holding a Mutex");
}

TEST_F(RealThreadsDeathTest, JoiningUnderALockIsABug) {
  EXPECT_DEATH(
      {
        Mutex mu;
        auto thread = threads_.Start("joined", [] {});
        MutexLock lock(&mu);
        thread.reset();
      },
      "holds a Mutex must not wait");
}

}  // namespace
}  // namespace kubelet_cm
