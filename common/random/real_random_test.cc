#include "common/random/real_random.h"

#include <array>
#include <cstdint>

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

// Two of 2^256 values: equal ones mean that the seed is not the system's.
TEST(RealRandomTest, TwoGeneratorsGiveDifferentBytes) {
  std::array<uint8_t, 32> one = {};
  std::array<uint8_t, 32> other = {};
  RealRandom().Fill(absl::MakeSpan(one));
  RealRandom().Fill(absl::MakeSpan(other));
  EXPECT_NE(one, other);
}

}  // namespace
}  // namespace kubelet_cm
