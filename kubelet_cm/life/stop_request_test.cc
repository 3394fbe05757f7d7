#include "kubelet_cm/life/stop_request.h"

#include <memory>

#include "common/clock/real_clock.h"
#include "common/threads/real_threads.h"
#include "gtest/gtest.h"

namespace kubelet_cm::life {
namespace {

class StopRequestTest : public ::testing::Test {
 protected:
  RealClock clock_;
  RealThreads threads_{clock_};
  int given_up_ = 0;
};

TEST_F(StopRequestTest, AStartThatHangsIsGivenUp) {
  StopRequest stop(threads_, absl::Milliseconds(1), [&] { ++given_up_; });
  stop.Ask();
  EXPECT_EQ(given_up_, 1);
  stop.Wait();
}

TEST_F(StopRequestTest, AStartThatEndsInTimeIsWaitedFor) {
  StopRequest stop(threads_, absl::Minutes(5), [&] { ++given_up_; });
  std::unique_ptr<Thread> asking = threads_.Start("signals", [&] { stop.Ask(); });
  stop.Wait();
  stop.SetStarted();
  asking.reset();  // it comes back from Ask
  EXPECT_EQ(given_up_, 0);
}

TEST_F(StopRequestTest, WhatHasStartedIsNotGivenUp) {
  StopRequest stop(threads_, absl::ZeroDuration(), [&] { ++given_up_; });
  stop.SetStarted();
  stop.Ask();
  stop.Ask();
  EXPECT_EQ(given_up_, 0);
}

}  // namespace
}  // namespace kubelet_cm::life
