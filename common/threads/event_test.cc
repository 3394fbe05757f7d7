#include "common/threads/event.h"

#include "common/clock/fake_clock.h"
#include "common/threads/real_threads.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

class EventTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  RealThreads threads_{clock_};
};

TEST_F(EventTest, SetBeforeTheWaitIsNotLost) {
  Event work(threads_, "work");
  work.Set();
  work.Wait();
}

TEST_F(EventTest, WaitResetsTheEvent) {
  Event work(threads_, "work");
  work.Set();
  work.Set();
  EXPECT_TRUE(work.WaitFor(absl::ZeroDuration()));
  EXPECT_FALSE(work.WaitFor(absl::ZeroDuration()));
}

TEST_F(EventTest, WaitEndsWhenItsDeadlinePasses) {
  Event work(threads_, "work");
  const auto advancing = threads_.Start("advance", [&] {
    ASSERT_TRUE(clock_.AwaitAlarms(1));
    clock_.Advance(absl::Seconds(60));
  });
  EXPECT_FALSE(work.WaitFor(absl::Seconds(60)));
}

TEST_F(EventTest, WaitWithADeadlineEndsWhenSet) {
  Event work(threads_, "work");
  const auto setter = threads_.Start("setter", [&] {
    ASSERT_TRUE(clock_.AwaitAlarms(1));
    work.Set();
  });
  EXPECT_TRUE(work.WaitUntil(clock_.MonotonicNow() + absl::Seconds(60)));
}

TEST_F(EventTest, OneSetIsForOneOfTwoWaiters) {
  Event work(threads_, "work");
  Event heard(threads_, "heard");
  const auto one = threads_.Start("one", [&] { work.Wait(), heard.Set(); });
  const auto other = threads_.Start("other", [&] { work.Wait(), heard.Set(); });
  work.Set();
  heard.Wait();
  work.Set();
  heard.Wait();
  EXPECT_FALSE(work.WaitFor(absl::ZeroDuration()));
}

using EventDeathTest = EventTest;

TEST_F(EventDeathTest, WaitingUnderALockIsABug) {
  Event work(threads_, "work");
  work.Set();
  Mutex mu;
  MutexLock lock(&mu);
  EXPECT_DEATH(work.Wait(), "holds a Mutex must not wait");
}

}  // namespace
}  // namespace kubelet_cm
