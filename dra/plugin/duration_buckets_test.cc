#include "dra/plugin/duration_buckets.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

TEST(DurationBucketsTest, AreThoseOfUpstreamFromATenthToForty) {
  const auto near = [](double bound) { return DoubleNear(bound, bound / 1000); };
  EXPECT_THAT(DraDurationBuckets(), ElementsAre(0.1, near(0.1534), near(0.2354), near(0.3611), near(0.5539),
                                                near(0.8498), near(1.3037), near(2), near(3.0683), near(4.7071),
                                                near(7.2213), near(11.078), near(16.996), near(26.073), 40));
}

}  // namespace
}  // namespace kubelet_cm::dra
