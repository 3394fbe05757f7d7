#include "common/random/seeded_random.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;

TEST(SeededRandomTest, TenThousandthNumberIsTheOneThatTheStandardPrescribes) {
  SeededRandom random(5489);
  for (int i = 0; i < 9999; ++i) random.Uint64();
  EXPECT_EQ(random.Uint64(), 9981545732273789042u);
}

TEST(SeededRandomTest, SequenceOfASeedNeverChanges) {
  SeededRandom random(7);
  std::vector<int64_t> drawn;
  for (int i = 0; i < 6; ++i) drawn.push_back(random.Between(-50, 49));
  EXPECT_THAT(drawn, ElementsAre(-35, 0, 28, -4, -29, -22));
}

TEST(SeededRandomTest, SameSeedGivesTheSameNumbers) {
  SeededRandom one(42);
  SeededRandom other(42);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(one.Uint64(), other.Uint64());
}

TEST(SeededRandomTest, AnotherSeedGivesOtherNumbers) {
  SeededRandom one(1);
  SeededRandom other(2);
  EXPECT_NE(one.Uint64(), other.Uint64());
}

}  // namespace
}  // namespace kubelet_cm
