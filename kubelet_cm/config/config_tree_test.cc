#include "kubelet_cm/config/config_tree.h"

#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::config {
namespace {

using ::testing::HasSubstr;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

TEST(ConfigTreeTest, EveryValueKnowsItsLineAndColumn) {
  ASSERT_OK_AND_ASSIGN(const ConfigNode root, ParseConfigTree("# a comment\na: 1\nb:\n  - x\n  - {c: true}\n"));
  ASSERT_EQ(root.entries.size(), 2u);
  EXPECT_EQ(root.entries[0].first, "a");
  EXPECT_EQ(root.entries[0].second.at, (ManifestPlace{2, 4}));
  const ConfigNode& list = root.entries[1].second;
  ASSERT_EQ(list.items.size(), 2u);
  EXPECT_EQ(list.items[1].entries[0].second.at, (ManifestPlace{5, 9}));
  EXPECT_EQ(list.items[1].entries[0].second.type, JsonType::kBool);
}

TEST(ConfigTreeTest, ScalarsHaveTheirTypes) {
  ASSERT_OK_AND_ASSIGN(const ConfigNode root, ParseConfigTree("[010, '010', yes, ~, 1.5]"));
  ASSERT_EQ(root.items.size(), 5u);
  EXPECT_EQ(root.items[0].type, JsonType::kNumber);
  EXPECT_EQ(root.items[0].text, "8");
  EXPECT_EQ(*root.items[1].string(), "010");
  EXPECT_EQ(root.items[2].text, "true");
  EXPECT_TRUE(root.items[3].is_null());
  EXPECT_EQ(root.items[4].text, "1.5");
}

TEST(ConfigTreeTest, JsonIsTakenToo) {
  ASSERT_OK_AND_ASSIGN(const ConfigNode root, ParseConfigTree("{\n\t\"a\": [1, null],\n\t\"b\": \"x\\/y\\u00e9\"\n}"));
  ASSERT_EQ(root.entries.size(), 2u);
  EXPECT_EQ(*root.entries[1].second.string(), "x/yé");
}

TEST(ConfigTreeTest, AnEmptyTextIsNull) {
  for (const char* text : {"", "\n", "# nothing\n", "---\n"}) {
    ASSERT_OK_AND_ASSIGN(const ConfigNode root, ParseConfigTree(text));
    EXPECT_TRUE(root.is_null()) << text;
  }
}

TEST(ConfigTreeTest, ASecondDocumentIsAnError) {
  EXPECT_THAT(ParseConfigTree("a: 1\n---\nb: 2\n"),
              StatusIs(kInvalid, HasSubstr("line 3, column 1: a second document")));
  EXPECT_OK(ParseConfigTree("---\na: 1\n---\n").status());
}

TEST(ConfigTreeTest, WhatIsNotUtf8IsAnError) {
  EXPECT_THAT(ParseConfigTree("a: é\nb: x\xff"), StatusIs(kInvalid, "line 2, column 5: a byte that is not UTF-8"));
}

TEST(ConfigTreeTest, WhatIsNoYamlHasItsPlace) {
  EXPECT_THAT(ParseConfigTree("a: 1\nb: [1, 2\nc: 3\n"), StatusIs(kInvalid, HasSubstr("line 3, column ")));
  EXPECT_THAT(ParseConfigTree("port: 1\nport: 3\n"), StatusIs(kInvalid, HasSubstr("line 2, column 1: key \"port\"")));
}

}  // namespace
}  // namespace kubelet_cm::config
