#include "common/gotext/go_number.h"

#include <limits>

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(ParseGoIntTest, TakesASignAndLeadingZeros) {
  EXPECT_EQ(ParseGoInt("0"), 0);
  EXPECT_EQ(ParseGoInt("-0"), 0);
  EXPECT_EQ(ParseGoInt("+5"), 5);
  EXPECT_EQ(ParseGoInt("-007"), -7);
}

TEST(ParseGoIntTest, TakesTheWholeRangeAndNoMore) {
  EXPECT_EQ(ParseGoInt("-9223372036854775808"), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(ParseGoInt("9223372036854775807"), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(ParseGoInt("9223372036854775808"), std::nullopt);
  EXPECT_EQ(ParseGoInt("-9223372036854775809"), std::nullopt);
}

TEST(ParseGoIntTest, RefusesWhatIsNotDigits) {
  for (std::string_view text : {"", "+", "-", "+-1", "-+1", "--1", " 0", "0 ", "1.0", "1e3", "0x1", "1_0", "٠"}) {
    EXPECT_EQ(ParseGoInt(text), std::nullopt) << text;
  }
}

TEST(ParseGoUintTest, TakesTheWholeRangeAndNoSign) {
  EXPECT_EQ(ParseGoUint("18446744073709551615"), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(ParseGoUint("00"), 0u);
  for (std::string_view text : {"", "18446744073709551616", "-0", "-1", "+1", "1.0", "4e9"}) {
    EXPECT_EQ(ParseGoUint(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace kubelet_cm
