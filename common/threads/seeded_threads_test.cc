// What SeededThreads promises of one run: order, time, the report of a deadlock, misuse.
#include "common/threads/seeded_threads.h"

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/clock/fake_timers.h"
#include "common/clock/real_timers.h"
#include "common/status/status_matchers.h"
#include "common/threads/event.h"
#include "common/threads/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SeededThreadsTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  SeededThreads threads_{clock_, {.seed = 1, .traced = true}};
};

TEST_F(SeededThreadsTest, RunsTheBodyAndTheThreadsThatItStarts) {
  std::vector<std::string> log;
  EXPECT_OK(threads_.Run([&] {
    threads_.Start("other", [&] { log.push_back("other"); }).reset();
    log.push_back("main");
  }));
  EXPECT_THAT(log, ElementsAre("other", "main"));
}

TEST_F(SeededThreadsTest, TraceNamesThreadsAndOperations) {
  ASSERT_OK(threads_.Run([&] {
    const auto one = threads_.Start("worker", [&] { threads_.Yield(); });
    const auto other = threads_.Start("worker", [] {});
  }));
  EXPECT_THAT(threads_.trace(),
              AllOf(Contains("main: start 'worker'"), Contains("worker: yield"), Contains("worker#2: end")));
}

TEST_F(SeededThreadsTest, WhatOneThreadWroteTheNextOneSees) {
  int unguarded = 0;  // under --config=tsan: passing the baton orders the accesses
  EXPECT_OK(threads_.Run([&] {
    const auto other = threads_.Start("other", [&] {
      for (int i = 0; i < 100; ++i, threads_.Yield()) ++unguarded;
    });
    for (int i = 0; i < 100; ++i, threads_.Yield()) ++unguarded;
  }));
  EXPECT_EQ(unguarded, 200);
}

TEST_F(SeededThreadsTest, NotificationReachesTheWaiter) {
  bool seen = false;
  EXPECT_OK(threads_.Run([&] {
    Notification happened(threads_, "it");
    const auto waiter = threads_.Start("waiter", [&] {
      happened.Wait();
      seen = true;
    });
    happened.Notify();
  }));
  EXPECT_TRUE(seen);
}

TEST_F(SeededThreadsTest, ClockMovesToTheNextDeadlineWhenNobodyCanGoOn) {
  std::vector<absl::Duration> wakes;
  EXPECT_OK(threads_.Run([&] {
    Notification stop(threads_, "stop");
    const auto loop = threads_.Start("reconciler", [&] {
      while (!stop.WaitFor(absl::Seconds(60))) wakes.push_back(clock_.MonotonicNow().since_start());
    });
    EXPECT_FALSE(Notification(threads_, "three minutes and a half").WaitFor(absl::Seconds(210)));
    stop.Notify();
  }));
  EXPECT_THAT(wakes, ElementsAre(absl::Minutes(1), absl::Minutes(2), absl::Minutes(3)));
}

TEST_F(SeededThreadsTest, DeadlineThatTheTestAdvancedPastEndsTheWait) {
  bool set = true;
  EXPECT_OK(threads_.Run([&] {
    Event work(threads_, "work");
    const MonotonicTime deadline = clock_.MonotonicNow() + absl::Hours(1);
    const auto waiter = threads_.Start("waiter", [&] { set = work.WaitUntil(deadline); });
    clock_.Advance(absl::Hours(2));
  }));
  EXPECT_FALSE(set);
  EXPECT_EQ(clock_.MonotonicNow().since_start(), absl::Hours(2));
}

TEST_F(SeededThreadsTest, RealTimersRunOnItsThreads) {
  std::vector<std::string> log;
  EXPECT_OK(threads_.Run([&] {
    RealTimers timers(threads_);
    Notification last(threads_, "the last callback");
    const auto b = timers.CallAfter(absl::Seconds(2), [&] { log.push_back("b"), last.Notify(); });
    const auto a = timers.CallAfter(absl::Seconds(1), [&] { log.push_back("a"); });
    last.Wait();
  }));
  EXPECT_THAT(log, ElementsAre("a", "b"));
  EXPECT_EQ(clock_.MonotonicNow().since_start(), absl::Seconds(2));
}

TEST_F(SeededThreadsTest, FakeTimersNotifyFromTheMovedClock) {
  FakeTimers timers(clock_);
  EXPECT_OK(threads_.Run([&] {
    Notification rung(threads_, "the alarm");
    const auto timer = timers.CallAfter(absl::Seconds(5), [&] { rung.Notify(); });
    rung.Wait();
  }));
  EXPECT_EQ(clock_.MonotonicNow().since_start(), absl::Seconds(5));
}

TEST_F(SeededThreadsTest, DeadlockIsReportedWithWhatEachThreadWaitsFor) {
  struct Both {
    explicit Both(Threads& threads) : ping(threads, "ping"), pong(threads, "pong") {}
    Notification ping;
    Notification pong;
  };
  const absl::Status status = threads_.Run([this, both = std::make_shared<Both>(threads_)] {
    const auto other = threads_.Start("other", [both] { both->ping.Wait(), both->pong.Notify(); });
    both->pong.Wait();
    both->ping.Notify();
  });
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kAborted,
                               "deadlock under seed 1: main waits for 'pong'; other waits for 'ping'"));
}

TEST_F(SeededThreadsTest, JoiningAThreadThatNeverEndsIsADeadlock) {
  const absl::Status status = threads_.Run([this] {
    Notification never(threads_, "never");
    const auto stuck = threads_.Start("stuck", [&] { never.Wait(); });
  });
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kAborted, HasSubstr("main waits for 'the end of thread stuck'")));
}

TEST(SeededThreadsLimitTest, RunThatNeverEndsIsStopped) {
  FakeClock clock;
  SeededThreads threads(clock, {.seed = 4, .max_steps = 1000});
  const absl::Status status = threads.Run([&threads] {
    Notification never(threads, "never");
    while (!never.WaitFor(absl::Seconds(1))) {
    }
  });
  EXPECT_THAT(status,
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("no end after 1000 steps under seed 4")));
}

using SeededThreadsDeathTest = SeededThreadsTest;

TEST_F(SeededThreadsDeathTest, WaitingUnderALockIsABug) {
  const auto wait_under_lock = [this] {
    Mutex mu;
    Notification happened(threads_, "it");
    MutexLock lock(&mu);
    happened.Wait();
  };
  EXPECT_DEATH(threads_.Run(wait_under_lock).IgnoreError(), "holds a Mutex must not wait");
}

TEST_F(SeededThreadsDeathTest, WaitingWithACondVarIsABug) {
  const auto wait_with_cond_var = [] {
    Mutex mu;
    CondVar changed;
    MutexLock lock(&mu);
    changed.Wait(&mu);
  };
  EXPECT_DEATH(threads_.Run(wait_with_cond_var).IgnoreError(), "wait through the Threads seam");
}

TEST_F(SeededThreadsDeathTest, WaitingInAnAlarmIsABug) {
  Notification never(threads_, "never");
  clock_.SetAlarm(clock_.MonotonicNow() + absl::Seconds(1), [&] { never.Wait(); });
  EXPECT_DEATH(threads_.Run([&] { never.Wait(); }).IgnoreError(), "alarm of the FakeClock waits for 'never'");
}

TEST_F(SeededThreadsDeathTest, UseByAThreadThatWasStartedElsewhereIsABug) {
  const auto use_elsewhere = [this] {
    Notification happened(threads_, "it");
    std::thread([&] { happened.Notify(); }).join();
  };
  EXPECT_DEATH(threads_.Run(use_elsewhere).IgnoreError(), "by a thread that SeededThreads did not start");
}

}  // namespace
}  // namespace kubelet_cm
