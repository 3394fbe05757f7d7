#include "testing/scenarios/program_death.h"

#include <memory>

#include "common/clock/real_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/notification.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::scenarios {
namespace {

class ProgramDeathTest : public testing::Test {
 protected:
  RealClock clock_;
  RealThreads threads_{clock_};
  int kills_ = 0;
  ProgramDeath death_{threads_, [this] { ++kills_; }};
};

TEST_F(ProgramDeathTest, TheNthCallKillsAndIsNotAnswered) {
  EXPECT_OK(death_.Come("Allocate"));
  death_.Arm("Allocate", 2);
  EXPECT_OK(death_.Come("PreStartContainer"));
  EXPECT_OK(death_.Come("Allocate"));
  EXPECT_FALSE(death_.struck());
  EXPECT_THAT(death_.Come("Allocate"), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_TRUE(death_.struck());
  EXPECT_EQ(kills_, 1);
  EXPECT_TRUE(death_.Disarm());
}

TEST_F(ProgramDeathTest, NobodyElseIsAnsweredByThen) {
  death_.Arm("Allocate", 1);
  EXPECT_FALSE(death_.Come("Allocate").ok());
  EXPECT_FALSE(death_.Come("PreStartContainer").ok());
  EXPECT_TRUE(death_.Disarm());
  EXPECT_OK(death_.Come("PreStartContainer")) << "of the next daemon";
}

TEST_F(ProgramDeathTest, ACallThatDoesNotComeIsForgotten) {
  death_.Arm("Allocate", 1);
  EXPECT_FALSE(death_.Disarm());
  EXPECT_OK(death_.Come("Allocate"));
  EXPECT_EQ(kills_, 0);
}

TEST_F(ProgramDeathTest, WhoeverSteersWaitsForTheEnd) {
  Notification killing(threads_, "a kill to begin");
  Notification gone(threads_, "a daemon to be gone");
  bool is_gone = false;
  ProgramDeath death(threads_, [&] {
    killing.Notify();
    gone.Wait();
    is_gone = true;
  });
  death.Arm("Allocate", 1);
  const std::unique_ptr<Thread> asked = threads_.Start("a fake", [&] { death.Come("Allocate").IgnoreError(); });
  killing.Wait();
  EXPECT_TRUE(death.struck());
  const std::unique_ptr<Thread> ends = threads_.Start("the end", [&] { gone.Notify(); });
  EXPECT_TRUE(death.Disarm());
  EXPECT_TRUE(is_gone);
}

}  // namespace
}  // namespace kubelet_cm::scenarios
