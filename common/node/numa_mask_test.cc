#include "common/node/numa_mask.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(NumaMaskTest, HoldsTheNodesItWasMadeOfAscendingAndOnce) {
  const NumaMask mask = NumaMask::Of({63, 0, 5, 0});
  EXPECT_THAT(mask.Nodes(), ElementsAre(0, 5, 63));
  EXPECT_EQ(mask.Count(), 3);
  EXPECT_TRUE(mask.Contains(63));
  EXPECT_FALSE(mask.Contains(1));
}

TEST(NumaMaskTest, NodesBeyondSixtyThreeAreLeftOut) {
  const NumaMask mask = NumaMask::Of({-1, 64, 1 << 20, 3});
  EXPECT_THAT(mask.Nodes(), ElementsAre(3));
  EXPECT_FALSE(mask.Contains(-1));
  EXPECT_FALSE(mask.Contains(64));
}

TEST(NumaMaskTest, NothingIsAnEmptyMask) {
  EXPECT_TRUE(NumaMask().IsEmpty());
  EXPECT_THAT(NumaMask::Of({}).Nodes(), IsEmpty());
  EXPECT_FALSE(NumaMask::Of({0}).IsEmpty());
}

TEST(NumaMaskTest, AndKeepsWhatBothHaveOrWhatEitherHas) {
  const NumaMask low = NumaMask::Of({0, 1});
  const NumaMask high = NumaMask::Of({1, 2});
  EXPECT_EQ(low.And(high), NumaMask::Of({1}));
  EXPECT_EQ(low.Or(high), NumaMask::Of({0, 1, 2}));
}

TEST(NumaMaskTest, NarrowerMeansFewerNodesThenLowerOnes) {
  EXPECT_TRUE(NumaMask::Of({3}).IsNarrowerThan(NumaMask::Of({0, 1})));
  EXPECT_FALSE(NumaMask::Of({0, 1}).IsNarrowerThan(NumaMask::Of({3})));
  EXPECT_TRUE(NumaMask::Of({0, 2}).IsNarrowerThan(NumaMask::Of({1, 2})));
  EXPECT_TRUE(NumaMask::Of({1, 2}).IsNarrowerThan(NumaMask::Of({0, 3})));
  EXPECT_FALSE(NumaMask::Of({1}).IsNarrowerThan(NumaMask::Of({1})));
}

TEST(NumaMaskTest, TheOrderIsThatOfTheHighestNodeThatDiffers) {
  EXPECT_LT(NumaMask::Of({0, 1, 2}), NumaMask::Of({3}));
  EXPECT_LT(NumaMask::Of({62}), NumaMask::Of({63}));
}

}  // namespace
}  // namespace kubelet_cm
