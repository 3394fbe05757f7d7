#include "common/clock/fake_timers.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/clock/real_clock.h"
#include "common/threads/notification.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class FakeTimersTest : public ::testing::Test {
 protected:
  std::unique_ptr<Timer> Log(absl::Duration delay, std::string text) {
    return timers_.CallAfter(delay, [this, text] { log_.push_back(text); });
  }

  FakeClock clock_;
  FakeTimers timers_{clock_};
  std::vector<std::string> log_;
};

TEST_F(FakeTimersTest, CallbackRunsWhenItsTimeHasCome) {
  const auto timer = Log(absl::Seconds(5), "called");
  clock_.Advance(absl::Seconds(5) - absl::Nanoseconds(1));
  EXPECT_THAT(log_, IsEmpty());
  clock_.Advance(absl::Nanoseconds(1));
  EXPECT_THAT(log_, ElementsAre("called"));
  clock_.Advance(absl::Seconds(5));
  EXPECT_THAT(log_, ElementsAre("called"));
}

TEST_F(FakeTimersTest, CallbackOfAPastInstantWaitsForTheNextAdvance) {
  const auto timer = Log(-absl::Seconds(1), "called");
  EXPECT_THAT(log_, IsEmpty());
  clock_.Advance(absl::ZeroDuration());
  EXPECT_THAT(log_, ElementsAre("called"));
}

TEST_F(FakeTimersTest, CallbacksOfOneInstantRunInOrderOfScheduling) {
  const auto a = Log(absl::Seconds(1), "a");
  const auto b = Log(absl::Seconds(1), "b");
  clock_.Advance(absl::Seconds(1));
  EXPECT_THAT(log_, ElementsAre("a", "b"));
}

TEST_F(FakeTimersTest, CallScheduledByACallbackRunsWithinTheSameAdvance) {
  std::unique_ptr<Timer> second;
  const auto first = timers_.CallAfter(absl::Seconds(1), [&] { second = Log(absl::Seconds(1), "second"); });
  clock_.Advance(absl::Seconds(2));
  EXPECT_THAT(log_, ElementsAre("second"));
}

TEST_F(FakeTimersTest, CancelledCallDoesNotRun) {
  const auto timer = Log(absl::Seconds(1), "called");
  EXPECT_EQ(timers_.pending(), 1);
  EXPECT_TRUE(timer->Cancel());
  EXPECT_TRUE(timer->Cancel());
  EXPECT_EQ(timers_.pending(), 0);
  clock_.Advance(absl::Seconds(1));
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(FakeTimersTest, CancelAfterTheCallIsTooLate) {
  const auto timer = Log(absl::Seconds(1), "called");
  clock_.Advance(absl::Seconds(1));
  EXPECT_FALSE(timer->Cancel());
}

TEST_F(FakeTimersTest, DestroyedTimerDoesNotRunAndFreesWhatItCaptured) {
  auto captured = std::make_shared<int>(1);
  auto timer = timers_.CallAfter(absl::Seconds(1), [captured] {});
  timer.reset();
  EXPECT_EQ(captured.use_count(), 1);
  EXPECT_EQ(clock_.NextAlarm(), std::nullopt);
}

TEST_F(FakeTimersTest, CallbackMayDestroyItsOwnTimer) {
  std::unique_ptr<Timer> timer;
  timer = timers_.CallAfter(absl::Seconds(1), [&, text = std::string("still there")] {
    timer.reset();
    log_.push_back(text);
  });
  clock_.Advance(absl::Seconds(1));
  EXPECT_THAT(log_, ElementsAre("still there"));
}

TEST_F(FakeTimersTest, CallbackMayDestroyAnotherTimerThatIsDueToo) {
  std::unique_ptr<Timer> other;
  const auto timer = timers_.CallAfter(absl::Seconds(1), [&] { other.reset(); });
  other = Log(absl::Seconds(1), "destroyed");
  clock_.Advance(absl::Seconds(1));
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(FakeTimersTest, DestroyingATimerWaitsForItsRunningCallback) {
  RealClock real_clock;
  RealThreads threads(real_clock);
  Notification begun(threads, "callback begun");
  bool over = false;
  auto timer = timers_.CallAfter(absl::Seconds(1), [&] {
    begun.Notify();
    over = true;
  });
  const auto advancing = threads.Start("advance", [&] { clock_.Advance(absl::Seconds(1)); });
  begun.Wait();
  timer.reset();
  EXPECT_TRUE(over);  // a race, for tsan to report, if reset() had not waited
}

using FakeTimersDeathTest = FakeTimersTest;

TEST_F(FakeTimersDeathTest, DestroyingAPendingTimerUnderALockIsABug) {
  Mutex mu;
  auto timer = Log(absl::Seconds(1), "called");
  EXPECT_DEATH(
      {
        MutexLock lock(&mu);
        timer.reset();
      },
      "destroyed while its owner holds a Mutex");
}

TEST_F(FakeTimersDeathTest, TimerThatOutlivesItsTimersIsABug) {
  auto timers = std::make_unique<FakeTimers>(clock_);
  const auto timer = timers->CallAfter(absl::Seconds(1), [] {});
  EXPECT_DEATH(timers.reset(), "outlive");
}

}  // namespace
}  // namespace kubelet_cm
