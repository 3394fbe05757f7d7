#include "kubelet_cm/life/watchdog.h"

#include <atomic>

#include "common/clock/fake_clock.h"
#include "common/log/awaiting_logger.h"
#include "common/threads/event.h"
#include "common/threads/real_threads.h"
#include "gtest/gtest.h"

namespace kubelet_cm::life {
namespace {

class WatchdogTest : public ::testing::Test {
 protected:
  Watchdog::Settings Settings() {
    return {.interval = absl::Seconds(15),
            .check = [this] { return well_ ? absl::OkStatus() : absl::UnavailableError("the lock is held"); },
            .alive =
                [this] {
                  ++told_;
                  heard_.Set();
                  return reachable_ ? absl::OkStatus() : absl::NotFoundError("no systemd");
                }};
  }

  FakeClock clock_;
  RealThreads threads_{clock_};
  AwaitingLogger log_;
  Event heard_{threads_, "systemd heard"};
  std::atomic<bool> well_ = true;
  std::atomic<bool> reachable_ = true;
  std::atomic<int> told_ = 0;
};

TEST_F(WatchdogTest, SystemdHearsAtOnceAndInEveryInterval) {
  const Watchdog watchdog(threads_, log_, Settings());
  heard_.Wait();
  clock_.Advance(absl::Seconds(14));
  EXPECT_EQ(told_, 1);
  clock_.Advance(absl::Seconds(1));
  heard_.Wait();
  EXPECT_EQ(told_, 2);
}

TEST_F(WatchdogTest, ADaemonThatIsNotWellIsNotCalledAlive) {
  well_ = false;
  const Watchdog watchdog(threads_, log_, Settings());
  EXPECT_TRUE(log_.AwaitLine("Not telling systemd that this process is alive"));
  EXPECT_EQ(told_, 0);
}

TEST_F(WatchdogTest, ASystemdThatCannotBeReachedIsSaid) {
  reachable_ = false;
  const Watchdog watchdog(threads_, log_, Settings());
  EXPECT_TRUE(log_.AwaitLine("Cannot tell systemd that this process is alive"));
}

}  // namespace
}  // namespace kubelet_cm::life
