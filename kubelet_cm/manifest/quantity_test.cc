#include "kubelet_cm/manifest/quantity.h"

#include <limits>
#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

struct Case {
  std::string text;
  Quantity quantity;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.text; }

class QuantityTest : public testing::TestWithParam<Case> {};

TEST_P(QuantityTest, HasTheValueThatGoGivesIt) {
  EXPECT_THAT(ParseQuantity(GetParam().text), IsOkAndHolds(GetParam().quantity));
}

INSTANTIATE_TEST_SUITE_P(Plain, QuantityTest,
                         testing::Values(Case{"0", {0, true}}, Case{"4", {4, true}}, Case{"+4", {4, true}},
                                         Case{"-4", {-4, true}}, Case{"0004", {4, true}}, Case{"4.", {4, true}},
                                         Case{"4.0", {4, true}}, Case{".5", {1, false}}, Case{"0.000", {0, true}}));
INSTANTIATE_TEST_SUITE_P(DecimalSuffixes, QuantityTest,
                         testing::Values(Case{"100m", {1, false}}, Case{"2000m", {2, true}}, Case{"1n", {1, false}},
                                         Case{"-1u", {-1, false}}, Case{"3k", {3000, true}},
                                         Case{"1.5M", {1500000, true}}, Case{"9E", {9000000000000000000, true}},
                                         Case{"1.0000000000000000001k", {1001, false}}));
INSTANTIATE_TEST_SUITE_P(BinarySuffixes, QuantityTest,
                         testing::Values(Case{"1Ki", {1024, true}}, Case{"1.5Gi", {1610612736, true}},
                                         Case{"0.1Mi", {104858, false}}, Case{"7Ei", {8070450532247928832, true}},
                                         Case{"0.0000000000000000008673617379884035472059622406Ei", {1, false}},
                                         Case{"0.0000000000000000008673617379884035472059622407Ei", {2, false}}));
INSTANTIATE_TEST_SUITE_P(Exponents, QuantityTest,
                         testing::Values(Case{"3e2", {300, true}}, Case{"3E2", {300, true}}, Case{"3e-1", {1, false}},
                                         Case{"1.25e+2", {125, true}}, Case{"1e-2000000000", {1, false}}));
INSTANTIATE_TEST_SUITE_P(CappedOnes, QuantityTest,
                         testing::Values(Case{"9223372036854775807", {kMax, true}},
                                         Case{"9223372036854775808", {kMax, true}}, Case{"8Ei", {kMax, true}},
                                         Case{"1e2000000000", {kMax, true}},
                                         Case{"99999999999999999999E", {kMax, true}},
                                         Case{"-9223372036854775809", {-kMax, true}}));

TEST(QuantityTextTest, SaysAsGoWhatIsWrong) {
  const std::string form =
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  for (const char* text : {"", "a", "+", "-Ki", " 1"}) {
    EXPECT_THAT(ParseQuantity(text), StatusIs(absl::StatusCode::kInvalidArgument, form)) << text;
  }
  for (const char* text : {".", "1.2.3", "+.", "1.."}) {
    EXPECT_THAT(ParseQuantity(text),
                StatusIs(absl::StatusCode::kInvalidArgument, "unable to parse numeric part of quantity"))
        << text;
  }
  for (const char* text : {"1K", "1ki", "1e", "1e1.5", "1e99999999999", "1 ", "1Kii", "1mm"}) {
    EXPECT_THAT(ParseQuantity(text), StatusIs(absl::StatusCode::kInvalidArgument, "unable to parse quantity's suffix"))
        << text;
  }
}

TEST(QuantityTextTest, HasABoundedLength) {
  EXPECT_OK(ParseQuantity(std::string(kMaxQuantitySize, '9')));
  EXPECT_THAT(ParseQuantity(std::string(kMaxQuantitySize + 1, '9')), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kubelet_cm
