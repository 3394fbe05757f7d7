#include "common/log/awaiting_logger.h"

#include "common/clock/fake_clock.h"
#include "common/threads/real_threads.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(AwaitingLoggerTest, AConditionThatHoldsIsNotWaitedFor) {
  AwaitingLogger log;
  EXPECT_TRUE(log.Await([] { return true; }));
}

TEST(AwaitingLoggerTest, AConditionIsLookedAtAfterEveryLine) {
  FakeClock clock;
  RealThreads threads(clock);
  AwaitingLogger log;
  int looks = 0;
  const auto writer = threads.Start("writer", [&] {
    for (int line = 0; line < 3; ++line) log.Info("Something happened");
  });
  EXPECT_TRUE(log.Await([&] { return ++looks >= 1 && log.Count("Something happened") == 3; }));
  EXPECT_LE(looks, 4);
}

TEST(AwaitingLoggerTest, AConditionThatNeverHoldsIsGivenUp) {
  AwaitingLogger log;
  EXPECT_FALSE(log.Await([] { return false; }, absl::Milliseconds(1)));
}

TEST(AwaitingLoggerTest, LinesAreCountedByTheirMessage) {
  AwaitingLogger log;
  log.Info("One");
  log.V(4).Info("Two", {{"key", "value"}});
  log.Info("One");
  EXPECT_EQ(log.Count("One"), 2u);
  EXPECT_TRUE(log.AwaitLine("Two"));
}

}  // namespace
}  // namespace kubelet_cm
