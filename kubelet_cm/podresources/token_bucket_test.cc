#include "kubelet_cm/podresources/token_bucket.h"

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace kubelet_cm::podresources {
namespace {

MonotonicTime At(int milliseconds) { return MonotonicTime::FromStart(absl::Milliseconds(milliseconds)); }

int TakeAll(TokenBucket& bucket, MonotonicTime now) {
  int taken = 0;
  while (bucket.Take(now)) ++taken;
  return taken;
}

TEST(TokenBucketTest, ABurstIsTakenAtOnceAndThenOnlyTheRate) {
  TokenBucket bucket(100, 10, At(0));
  EXPECT_EQ(TakeAll(bucket, At(0)), 10);
  EXPECT_EQ(TakeAll(bucket, At(5)), 0);
  EXPECT_EQ(TakeAll(bucket, At(10)), 1);
  EXPECT_EQ(TakeAll(bucket, At(40)), 3);
}

TEST(TokenBucketTest, ItHoldsNoMoreThanABurst) {
  TokenBucket bucket(100, 10, At(0));
  TakeAll(bucket, At(0));
  EXPECT_EQ(TakeAll(bucket, At(1'000'000)), 10);
}

}  // namespace
}  // namespace kubelet_cm::podresources
