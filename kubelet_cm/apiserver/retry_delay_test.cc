#include "kubelet_cm/apiserver/retry_delay.h"

#include "common/random/seeded_random.h"
#include "gtest/gtest.h"

namespace kubelet_cm::apiserver {
namespace {

void ExpectAbout(absl::Duration delay, absl::Duration least) {
  EXPECT_GE(delay, least);
  EXPECT_LE(delay, 2 * least);
}

TEST(RetryDelayTest, DoublesUpToALimit) {
  SeededRandom random(7);
  RetryDelay delay;
  for (const double seconds : {0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30.0, 30.0}) {
    ExpectAbout(delay.Next(random), absl::Seconds(seconds));
  }
}

TEST(RetryDelayTest, BeginsAgainAfterASuccess) {
  SeededRandom random(7);
  RetryDelay delay;
  for (int i = 0; i < 5; ++i) delay.Next(random);
  delay.Reset();
  ExpectAbout(delay.Next(random), RetryDelay::kFirst);
}

TEST(RetryDelayTest, VariesByChance) {
  SeededRandom one(1);
  SeededRandom two(2);
  EXPECT_NE(RetryDelay().Next(one), RetryDelay().Next(two));
}

}  // namespace
}  // namespace kubelet_cm::apiserver
