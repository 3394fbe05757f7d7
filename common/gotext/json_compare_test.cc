#include "common/gotext/json_compare.h"

#include "common/status/check.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

bool Same(std::string_view a, std::string_view b) {
  const auto left = JsonDocument::Parse(a);
  const auto right = JsonDocument::Parse(b);
  CHECK(left.ok() && right.ok()) << a << " " << b;
  return SameJson(left->root(), right->root());
}

TEST(JsonCompareTest, MembersMayStandInAnyOrder) {
  EXPECT_TRUE(Same(R"({"a":[1,{"x":null}],"b":"é"})", R"( {"b":"\u00e9", "a":[1,{"x":null}]})"));
  EXPECT_FALSE(Same(R"({"a":1,"b":2})", R"({"a":2,"b":1})"));
  EXPECT_FALSE(Same(R"({"a":1,"b":2})", R"({"a":1,"c":2})"));
}

TEST(JsonCompareTest, KindsLengthsAndOrderOfListsCount) {
  EXPECT_FALSE(Same("[]", "{}"));
  EXPECT_FALSE(Same("[]", "null"));
  EXPECT_FALSE(Same("[1]", "[1,1]"));
  EXPECT_FALSE(Same("[1,2]", "[2,1]"));
  EXPECT_FALSE(Same("true", "false"));
  EXPECT_FALSE(Same("1", "1.0"));
}

TEST(JsonCompareTest, FindsMembersByName) {
  const auto document = JsonDocument::Parse(R"({"a":"x","b":1})");
  ASSERT_TRUE(document.ok());
  EXPECT_EQ(FindJson(document->root(), "b")->literal(), "1");
  EXPECT_FALSE(FindJson(document->root(), "A").has_value());
  EXPECT_EQ(JsonText(document->root(), "a"), "x");
  EXPECT_EQ(JsonText(document->root(), "b"), "");
  EXPECT_EQ(JsonText(document->root(), "c"), "");
}

}  // namespace
}  // namespace kubelet_cm
