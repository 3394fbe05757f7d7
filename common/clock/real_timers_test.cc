#include "common/clock/real_timers.h"

#include <memory>
#include <string>
#include <vector>

#include "common/clock/fake_clock.h"
#include "common/clock/real_clock.h"
#include "common/threads/notification.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;

// With a fake clock: the timer thread is real, its time is the test's.
class RealTimersTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  RealThreads threads_{clock_};
  RealTimers timers_{threads_};
  Notification done_{threads_, "the last callback"};
};

TEST_F(RealTimersTest, CallbacksRunInOrderOfInstantThenOfScheduling) {
  std::vector<std::string> log;
  const auto last = timers_.CallAfter(absl::Seconds(3), [&] { done_.Notify(); });
  const auto b = timers_.CallAfter(absl::Seconds(2), [&] { log.push_back("b"); });
  const auto a = timers_.CallAfter(absl::Seconds(1), [&] { log.push_back("a"); });
  const auto c = timers_.CallAfter(absl::Seconds(2), [&] { log.push_back("c"); });
  clock_.Advance(absl::Seconds(3));
  done_.Wait();
  EXPECT_THAT(log, ElementsAre("a", "b", "c"));
}

TEST_F(RealTimersTest, CallbackOfAPastInstantRunsWithoutTimePassing) {
  const MonotonicTime start = clock_.MonotonicNow();
  const auto timer = timers_.CallAt(start - absl::Seconds(1), [&] { done_.Notify(); });
  done_.Wait();
  EXPECT_EQ(clock_.MonotonicNow(), start);
}

TEST_F(RealTimersTest, EarlierCallOvertakesTheOneThatTheThreadWaitsFor) {
  const auto late = timers_.CallAfter(absl::Hours(1), [] {});
  ASSERT_TRUE(clock_.AwaitAlarms(1));
  const auto early = timers_.CallAfter(absl::Seconds(1), [&] { done_.Notify(); });
  clock_.Advance(absl::Seconds(1));
  done_.Wait();
}

TEST_F(RealTimersTest, CancelledCallDoesNotRun) {
  bool called = false;
  const auto cancelled = timers_.CallAfter(absl::Seconds(1), [&] { called = true; });
  EXPECT_TRUE(cancelled->Cancel());
  EXPECT_TRUE(cancelled->Cancel());
  const auto last = timers_.CallAfter(absl::Seconds(1), [&] { done_.Notify(); });
  clock_.Advance(absl::Seconds(1));
  done_.Wait();
  EXPECT_FALSE(called);
}

TEST_F(RealTimersTest, CancelAfterTheCallHasBegunIsTooLate) {
  Notification begun(threads_, "callback begun");
  Notification go_on(threads_, "leave to go on");
  const auto timer = timers_.CallAfter(absl::ZeroDuration(), [&] {
    begun.Notify();
    go_on.Wait();
  });
  begun.Wait();
  EXPECT_FALSE(timer->Cancel());
  go_on.Notify();
}

TEST_F(RealTimersTest, DestroyingATimerWaitsForItsRunningCallback) {
  Notification begun(threads_, "callback begun");
  bool over = false;
  auto timer = timers_.CallAfter(absl::ZeroDuration(), [&] {
    begun.Notify();
    over = true;
  });
  begun.Wait();
  timer.reset();
  EXPECT_TRUE(over);  // a race, for tsan to report, if reset() had not waited
}

TEST_F(RealTimersTest, WhatTheCallbackCapturedIsGoneWithTheTimer) {
  auto captured = std::make_shared<int>(1);
  auto pending = timers_.CallAfter(absl::Seconds(1), [captured] {});
  pending.reset();
  EXPECT_EQ(captured.use_count(), 1);
  auto called = timers_.CallAfter(absl::ZeroDuration(), [this, captured] { done_.Notify(); });
  done_.Wait();
  called.reset();
  EXPECT_EQ(captured.use_count(), 1);
}

TEST_F(RealTimersTest, CallbackMayDestroyItsOwnTimer) {
  std::unique_ptr<Timer> timer;
  std::string seen;
  timer = timers_.CallAfter(absl::Seconds(1), [&, text = std::string("still there")] {
    timer.reset();
    seen = text;
    done_.Notify();
  });
  clock_.Advance(absl::Seconds(1));
  done_.Wait();
  EXPECT_EQ(seen, "still there");
}

TEST(RealTimersWithRealClockTest, CallbackRunsAfterItsDelay) {
  RealClock clock;
  RealThreads threads(clock);
  RealTimers timers(threads);
  Notification done(threads, "callback");
  const MonotonicTime due = clock.MonotonicNow() + absl::Milliseconds(2);
  const auto timer = timers.CallAt(due, [&] { done.Notify(); });
  done.Wait();
  EXPECT_GE(clock.MonotonicNow(), due);
}

using RealTimersDeathTest = RealTimersTest;

TEST_F(RealTimersDeathTest, DestroyingAPendingTimerUnderALockIsABug) {
  Mutex mu;
  auto timer = timers_.CallAfter(absl::Hours(1), [] {});
  EXPECT_DEATH(
      {
        MutexLock lock(&mu);
        timer.reset();
      },
      "destroyed while its owner holds a Mutex");
}

TEST_F(RealTimersDeathTest, TimerThatOutlivesItsTimersIsABug) {
  EXPECT_DEATH(
      {
        std::unique_ptr<Timer> timer;
        RealTimers timers(threads_);
        timer = timers.CallAfter(absl::Hours(1), [] {});
      },
      "outlive");
}

}  // namespace
}  // namespace kubelet_cm
