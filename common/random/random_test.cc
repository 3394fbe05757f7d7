#include "common/random/random.h"

#include <array>
#include <cstdint>

#include "common/random/fake_random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;

TEST(RandomTest, BelowIsTheRemainder) {
  FakeRandom random({25, 30});
  EXPECT_EQ(random.Below(10), 5u);
  EXPECT_EQ(random.Below(10), 0u);
}

// 2^64 = 6 mod 10: with the numbers 0 to 5 the remainders 0 to 5 would be a little likelier than the others.
TEST(RandomTest, BelowDrawsAgainWhereRemaindersWouldNotBeEquallyLikely) {
  FakeRandom random({0, 5, 6});
  EXPECT_EQ(random.Below(10), 6u);
}

TEST(RandomTest, BelowOneIsZero) {
  FakeRandom random({UINT64_MAX});
  EXPECT_EQ(random.Below(1), 0u);
}

TEST(RandomTest, BelowAPowerOfTwoAcceptsEveryNumber) {
  FakeRandom random({0, UINT64_MAX});
  EXPECT_EQ(random.Below(uint64_t{1} << 63), 0u);
  EXPECT_EQ(random.Below(uint64_t{1} << 63), (uint64_t{1} << 63) - 1);
}

TEST(RandomTest, BetweenIncludesBothEnds) {
  FakeRandom random({8, 10, 7});
  EXPECT_EQ(random.Between(-1, 1), 1);
  EXPECT_EQ(random.Between(-1, 1), 0);
  EXPECT_EQ(random.Between(-1, 1), 0);
}

TEST(RandomTest, BetweenTheExtremesTakesTheNumberAsItIs) {
  FakeRandom random({0, UINT64_MAX});
  EXPECT_EQ(random.Between(INT64_MIN, INT64_MAX), INT64_MIN);
  EXPECT_EQ(random.Between(INT64_MIN, INT64_MAX), INT64_MAX);
}

TEST(RandomTest, FillTakesTheLowestByteFirstAndOneNumberForEightBytes) {
  FakeRandom random({0x0807060504030201, 0xff});
  std::array<uint8_t, 9> bytes = {};
  random.Fill(absl::MakeSpan(bytes));
  EXPECT_THAT(bytes, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 0xff));
}

TEST(RandomDeathTest, BelowZeroIsABug) {
  FakeRandom random({1});
  EXPECT_DEATH(random.Below(0), "no number is below 0");
}

}  // namespace
}  // namespace kubelet_cm
