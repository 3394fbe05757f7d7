#include "common/random/fake_random.h"

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(FakeRandomTest, GivesTheNumbersOfItsListInOrder) {
  FakeRandom random({3, 1});
  EXPECT_EQ(random.Uint64(), 3u);
  EXPECT_EQ(random.Uint64(), 1u);
}

TEST(FakeRandomDeathTest, DrawingMoreThanThereAreIsABugOfTheTest) {
  FakeRandom random({3});
  EXPECT_EQ(random.Uint64(), 3u);
  EXPECT_DEATH(random.Uint64(), "the list of random numbers is used up");
}

}  // namespace
}  // namespace kubelet_cm
