#include "common/threads/notification.h"

#include <memory>

#include "common/clock/fake_clock.h"
#include "common/threads/real_threads.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

class NotificationTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  RealThreads threads_{clock_};
};

TEST_F(NotificationTest, WaitSeesWhatWasWrittenBeforeNotify) {
  Notification written(threads_, "written");
  int value = 0;
  const auto writer = threads_.Start("writer", [&] {
    value = 7;
    written.Notify();
  });
  written.Wait();
  EXPECT_EQ(value, 7);
}

TEST_F(NotificationTest, OnceNotifiedNobodyWaits) {
  Notification happened(threads_, "it");
  EXPECT_FALSE(happened.HasBeenNotified());
  happened.Notify();
  happened.Notify();
  EXPECT_TRUE(happened.HasBeenNotified());
  happened.Wait();
  EXPECT_TRUE(happened.WaitFor(absl::ZeroDuration()));
}

TEST_F(NotificationTest, WaitEndsWhenItsDeadlinePasses) {
  Notification never(threads_, "never");
  const auto advancing = threads_.Start("advance", [&] {
    ASSERT_TRUE(clock_.AwaitAlarms(1));
    clock_.Advance(absl::Seconds(60));
  });
  EXPECT_FALSE(never.WaitFor(absl::Seconds(60)));
}

TEST_F(NotificationTest, WaitWithADeadlineEndsWhenNotified) {
  Notification happened(threads_, "it");
  const auto notifier = threads_.Start("notifier", [&] {
    ASSERT_TRUE(clock_.AwaitAlarms(1));
    happened.Notify();
  });
  EXPECT_TRUE(happened.WaitUntil(clock_.MonotonicNow() + absl::Seconds(1)));
}

TEST_F(NotificationTest, LastWaiterMayDestroyItAtOnce) {
  int destroyed = 0;
  for (; destroyed < 200; ++destroyed) {
    auto happened = std::make_unique<Notification>(threads_, "it");
    const auto notifier = threads_.Start("notifier", [raw = happened.get()] { raw->Notify(); });
    happened->Wait();
    happened.reset();
  }
  EXPECT_EQ(destroyed, 200);
}

using NotificationDeathTest = NotificationTest;

TEST_F(NotificationDeathTest, WaitingUnderALockIsABug) {
  Notification happened(threads_, "it");
  happened.Notify();
  Mutex mu;
  MutexLock lock(&mu);
  EXPECT_DEATH(happened.Wait(), "holds a Mutex must not wait");
}

}  // namespace
}  // namespace kubelet_cm
