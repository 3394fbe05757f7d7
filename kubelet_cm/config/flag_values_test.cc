#include "kubelet_cm/config/flag_values.h"

#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::config {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

TEST(FlagValuesTest, NumbersHaveBounds) {
  int number = 7;
  EXPECT_THAT(SetNumber("-1", 0, &number), StatusIs(kInvalid, "expected a whole number of at least 0, got \"-1\""));
  EXPECT_THAT(SetNumber("65536", 0, &number, 65535),
              StatusIs(kInvalid, "expected a whole number from 0 to 65535, got \"65536\""));
  EXPECT_THAT(SetNumber("1x", 0, &number), StatusIs(kInvalid));
  EXPECT_THAT(SetNumber("", 0, &number), StatusIs(kInvalid));
  EXPECT_EQ(number, 7);
  EXPECT_OK(SetNumber("65535", 0, &number, 65535));
  EXPECT_EQ(number, 65535);
}

TEST(FlagValuesTest, RatesAndDurationsAreGreaterThanZero) {
  double rate = 0;
  EXPECT_OK(SetRate("0.5", &rate));
  EXPECT_EQ(rate, 0.5);
  for (const char* text : {"0", "-1", "inf", "nan", "x"}) EXPECT_THAT(SetRate(text, &rate), StatusIs(kInvalid)) << text;
  absl::Duration duration;
  EXPECT_OK(SetDuration("1m30s", &duration));
  EXPECT_EQ(duration, absl::Seconds(90));
  for (const char* text : {"0", "-1s", "5"}) EXPECT_THAT(SetDuration(text, &duration), StatusIs(kInvalid)) << text;
}

TEST(FlagValuesTest, NumaNodesAreSortedAndThereOnce) {
  std::vector<int> nodes;
  EXPECT_OK(SetNumaNodes("3,0", &nodes));
  EXPECT_THAT(nodes, ElementsAre(0, 3));
  for (const char* text : {"1,1", "64", "-1", "0-1"})
    EXPECT_THAT(SetNumaNodes(text, &nodes), StatusIs(kInvalid)) << text;
  EXPECT_OK(SetNumaNodes("", &nodes));
  EXPECT_THAT(nodes, IsEmpty());
}

TEST(FlagValuesTest, PairsHaveAnEqualsSign) {
  ASSERT_OK_AND_ASSIGN(const auto pairs, ParsePairs("a=1,b=c=d,"));
  EXPECT_THAT(pairs, ElementsAre(Pair("a", "1"), Pair("b", "c=d")));
  EXPECT_THAT(ParsePairs("a"), StatusIs(kInvalid, "expected NAME=VALUE, got \"a\""));
}

TEST(FlagValuesTest, NodeNamesAreThoseOfApiObjects) {
  for (const char* name : {"a", "node-1", "node1.example.com"}) EXPECT_OK(CheckNodeName(name)) << name;
  for (const char* name : {"", "Node", "-a", "a-", "a..b", "a_b", "a/b"}) {
    EXPECT_THAT(CheckNodeName(name), StatusIs(kInvalid)) << name;
  }
  EXPECT_THAT(CheckNodeName(std::string(254, 'a')), StatusIs(kInvalid));
}

}  // namespace
}  // namespace kubelet_cm::config
