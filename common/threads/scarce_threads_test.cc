#include "common/threads/scarce_threads.h"

#include <atomic>

#include "common/clock/fake_clock.h"
#include "common/log/awaiting_logger.h"
#include "common/threads/real_threads.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

constexpr char kWaits[] = "The system has no thread to give; waiting until it has";

class ScarceThreadsTest : public testing::Test {
 protected:
  FakeClock clock_;
  RealThreads real_{clock_};
  AwaitingLogger log_;
  ScarceThreads threads_{real_, log_};
};

TEST_F(ScarceThreadsTest, WithoutThreadsAStartWaitsUntilThereAreSome) {
  threads_.RunOut();
  std::atomic<bool> ran = false;
  auto starter = real_.Start("starter", [&] { threads_.Start("late", [&] { ran = true; }).reset(); });
  ASSERT_TRUE(log_.AwaitLine(kWaits));
  EXPECT_FALSE(ran);
  threads_.Replenish();
  starter.reset();
  EXPECT_TRUE(ran);
  EXPECT_EQ(log_.Count(kWaits), 1u);
}

TEST_F(ScarceThreadsTest, WithThreadsItIsAsTheOneBelow) {
  bool ran = false;
  threads_.Start("now", [&] { ran = true; }).reset();
  EXPECT_TRUE(ran);
  EXPECT_EQ(log_.Count(kWaits), 0u);
}

}  // namespace
}  // namespace kubelet_cm
