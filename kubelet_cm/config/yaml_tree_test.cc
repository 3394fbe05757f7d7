#include "kubelet_cm/config/yaml_tree.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::config {
namespace {

using ::testing::HasSubstr;

absl::StatusCode constexpr kInvalid = absl::StatusCode::kInvalidArgument;

TEST(YamlTreeTest, EveryValueKnowsItsLineAndColumn) {
  ASSERT_OK_AND_ASSIGN(const YamlNode root, ParseYamlTree("# a comment\na: 1\nb:\n  - x\n  - {c: true}\n"));
  ASSERT_EQ(root.entries.size(), 2u);
  EXPECT_EQ(root.entries[0].first.at, (YamlPosition{2, 1}));
  EXPECT_EQ(root.entries[0].second.at, (YamlPosition{2, 4}));
  const YamlNode& list = root.entries[1].second;
  ASSERT_EQ(list.items.size(), 2u);
  EXPECT_EQ(list.items[1].entries[0].second.at, (YamlPosition{5, 9}));
  EXPECT_EQ(list.items[1].entries[0].second.scalar, YamlScalar(true));
}

TEST(YamlTreeTest, QuotedScalarsAreText) {
  ASSERT_OK_AND_ASSIGN(const YamlNode root, ParseYamlTree("[10, '10', \"true\", !!str 5, !!int 5, ]"));
  ASSERT_EQ(root.items.size(), 5u);
  EXPECT_EQ(root.items[0].scalar, YamlScalar(int64_t{10}));
  EXPECT_EQ(root.items[1].scalar, YamlScalar(YamlText()));
  EXPECT_EQ(*root.items[2].string(), "true");
  EXPECT_EQ(*root.items[3].string(), "5");
  EXPECT_EQ(root.items[4].scalar, YamlScalar(int64_t{5}));
}

TEST(YamlTreeTest, JsonIsYaml) {
  ASSERT_OK_AND_ASSIGN(const YamlNode root, ParseYamlTree("{\n\t\"a\": [1, null],\n\t\"b\": \"x\\/y\\u00e9\"\n}"));
  ASSERT_EQ(root.entries.size(), 2u);
  EXPECT_TRUE(root.entries[0].second.items[1].is_null());
  EXPECT_EQ(*root.entries[1].second.string(), "x/yé");
}

TEST(YamlTreeTest, AnEmptyTextIsNull) {
  for (const char* text : {"", "\n", "# nothing\n", "---\n"}) {
    ASSERT_OK_AND_ASSIGN(const YamlNode root, ParseYamlTree(text));
    EXPECT_TRUE(root.is_null()) << text;
  }
}

TEST(YamlTreeTest, AliasesStandForWhatTheyName) {
  ASSERT_OK_AND_ASSIGN(const YamlNode root, ParseYamlTree("a: &x [1, 2]\nb: *x\n"));
  EXPECT_EQ(root.entries[1].second.items.size(), 2u);
  EXPECT_EQ(root.entries[1].second.at, (YamlPosition{2, 4}));
}

TEST(YamlTreeTest, AnAliasOfWhatItIsPartOfIsAnError) {
  EXPECT_THAT(ParseYamlTree("a: &x [1, *x]"), StatusIs(kInvalid, HasSubstr("line 1, column 11: an alias")));
}

TEST(YamlTreeTest, AliasesCannotGrowWithoutLimit) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    absl::StrAppend(&text, "a", i, ": &a", i, " [");
    for (int j = 0; j < 10; ++j) absl::StrAppend(&text, j > 0 ? ", *a" : "*a", i - 1);
    absl::StrAppend(&text, "]\n");
  }
  EXPECT_THAT(ParseYamlTree(text), StatusIs(kInvalid, HasSubstr("more than 100000 values")));
  std::string long_text = absl::StrCat("a: &a ", std::string(100'000, 'x'), "\nb: [");
  for (int i = 0; i < 100; ++i) absl::StrAppend(&long_text, "*a, ");
  EXPECT_THAT(ParseYamlTree(long_text + "]"), StatusIs(kInvalid, HasSubstr("bytes of text")));
}

TEST(YamlTreeTest, DepthHasALimitWithAliasesToo) {
  EXPECT_THAT(ParseYamlTree(std::string(65, '[') + std::string(65, ']')),
              StatusIs(kInvalid, HasSubstr("column 65: nested more than 64")));
  EXPECT_THAT(ParseYamlTree(std::string(100'000, '[')), StatusIs(kInvalid));
  const std::string deep = absl::StrCat("a: &a ", std::string(60, '['), std::string(60, ']'), "\nb: [[[[[[*a]]]]]]");
  EXPECT_THAT(ParseYamlTree(deep), StatusIs(kInvalid, HasSubstr("line 2, column 10: nested more than 64")));
}

TEST(YamlTreeTest, SizeHasALimit) {
  EXPECT_THAT(ParseYamlTree("abcdef", {.bytes = 5}), StatusIs(kInvalid, HasSubstr("more than 5 bytes")));
}

TEST(YamlTreeTest, WhatIsNotUtf8IsAnError) {
  EXPECT_THAT(ParseYamlTree("a: é\nb: x\xff"), StatusIs(kInvalid, "line 2, column 5: a byte that is not UTF-8"));
}

TEST(YamlTreeTest, AKeyThatIsThereTwiceIsAnError) {
  EXPECT_THAT(ParseYamlTree("port: 1\nx: 2\nport: 3\n"),
              StatusIs(kInvalid, HasSubstr("line 3, column 1: key \"port\" is there twice, first in line 1")));
}

TEST(YamlTreeTest, MergeKeysAreAnErrorAndNotSkipped) {
  EXPECT_THAT(ParseYamlTree("a: &a {b: 1}\nc:\n  <<: *a\n"), StatusIs(kInvalid, HasSubstr("line 3, column 3: merge")));
}

TEST(YamlTreeTest, ASecondDocumentIsAnError) {
  EXPECT_THAT(ParseYamlTree("a: 1\n---\nb: 2\n"), StatusIs(kInvalid, HasSubstr("line 3, column 1: a second document")));
  EXPECT_OK(ParseYamlTree("---\na: 1\n---\n").status());
}

TEST(YamlTreeTest, WhatIsNoYamlHasItsPlace) {
  EXPECT_THAT(ParseYamlTree("a: 1\nb: [1, 2\nc: 3\n"), StatusIs(kInvalid, HasSubstr("line 3, column ")));
  EXPECT_THAT(ParseYamlTree("a: 1\n  b: 2\n"), StatusIs(kInvalid, HasSubstr("line 2, column ")));
  EXPECT_THAT(ParseYamlTree("a: !!int x\n"), StatusIs(kInvalid, HasSubstr("line 1, column ")));
}

}  // namespace
}  // namespace kubelet_cm::config
