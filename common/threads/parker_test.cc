#include "common/threads/parker.h"

#include <thread>

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(ParkerTest, TokenThatComesBeforeTheWaitIsNotLost) {
  Parker parker;
  parker.Unpark();
  parker.Park();
}

TEST(ParkerTest, TokensDoNotAddUp) {
  Parker parker;
  parker.Unpark();
  parker.Unpark();
  EXPECT_TRUE(parker.ParkFor(absl::ZeroDuration()));
  EXPECT_FALSE(parker.ParkFor(absl::ZeroDuration()));
}

TEST(ParkerTest, LimitInThePastReturnsAtOnce) {
  Parker parker;
  EXPECT_FALSE(parker.ParkFor(-absl::InfiniteDuration()));
}

// Under --config=tsan this also shows that what was written before Unpark is ordered before what follows Park.
TEST(ParkerTest, ParkedThreadSeesWhatTheOtherWrote) {
  Parker parker;
  int written = 0;
  std::thread other([&] {
    written = 7;
    parker.Unpark();
  });
  EXPECT_TRUE(parker.ParkFor(absl::InfiniteDuration()));
  EXPECT_EQ(written, 7);
  other.join();
}

}  // namespace
}  // namespace kubelet_cm
