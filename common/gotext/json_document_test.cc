#include "common/gotext/json_document.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

JsonDocument Parsed(std::string_view text) {
  auto document = JsonDocument::Parse(text);
  EXPECT_TRUE(document.ok()) << document.status();
  return *std::move(document);
}

std::vector<std::pair<std::string, std::string>> Members(JsonValue object) {
  std::vector<std::pair<std::string, std::string>> members;
  for (const auto [key, value] : object.members()) members.emplace_back(key.text(), value.literal());
  return members;
}

std::vector<std::string> Elements(JsonValue array) {
  std::vector<std::string> elements;
  for (const JsonValue element : array.elements()) elements.emplace_back(element.literal());
  return elements;
}

TEST(JsonDocumentTest, MembersKeepTheirOrderAndDuplicates) {
  const JsonDocument document = Parsed(R"({"b":[1,[2]],"a":{"x":{}}, "b" : null})");
  EXPECT_THAT(Members(document.root()), ElementsAre(Pair("b", "[1,[2]]"), Pair("a", R"({"x":{}})"), Pair("b", "null")));
  EXPECT_EQ(document.root().size(), 3u);
}

TEST(JsonDocumentTest, ElementsOfNestedArraysAreSkippedAsAWhole) {
  const JsonDocument document = Parsed(R"([[], [1,[2,3]], {"k":[4]}, "s", 5 ])");
  EXPECT_THAT(Elements(document.root()), ElementsAre("[]", "[1,[2,3]]", R"({"k":[4]})", "\"s\"", "5"));
  EXPECT_EQ(document.root().size(), 5u);
}

TEST(JsonDocumentTest, OtherTypesHaveNoContents) {
  const JsonDocument document = Parsed(R"([[1],{"a":1}])");
  EXPECT_THAT(Members(document.root()), ElementsAre());
  EXPECT_THAT(Elements(*++document.root().elements().begin()), ElementsAre());
  EXPECT_THAT(Elements(Parsed("1").root()), ElementsAre());
}

TEST(JsonDocumentTest, TypesAreTold) {
  std::vector<JsonType> types;
  const JsonDocument document = Parsed(R"([null,true,false,-1e400,"s","\n",[],{}])");
  for (const JsonValue value : document.root().elements()) types.push_back(value.type());
  EXPECT_THAT(types, ElementsAre(JsonType::kNull, JsonType::kBool, JsonType::kBool, JsonType::kNumber,
                                 JsonType::kString, JsonType::kString, JsonType::kArray, JsonType::kObject));
}

TEST(JsonDocumentTest, StringsAreUnescapedAndRepaired) {
  const JsonDocument document = Parsed("[\"a\\u0041\\ud800\",\"x\xff\",\"é\",\"\"]");
  std::vector<std::string> texts;
  for (const JsonValue value : document.root().elements()) texts.emplace_back(value.text());
  EXPECT_THAT(texts, ElementsAre("aA\uFFFD", "x\uFFFD", "é", ""));
}

TEST(JsonDocumentTest, NumbersAreKeptAsSpelt) {
  EXPECT_THAT(Elements(Parsed("[-0,1.0,1E3,1e+400,18446744073709551616]").root()),
              ElementsAre("-0", "1.0", "1E3", "1e+400", "18446744073709551616"));
}

TEST(JsonDocumentTest, OffsetsPointIntoTheText) {
  const JsonDocument document = Parsed(R"( {"a": true})");
  EXPECT_EQ(document.root().begin_offset(), 1);
  EXPECT_EQ(document.root().end_offset(), 12);
  const JsonMember member = *document.root().members().begin();
  EXPECT_EQ(member.value.begin_offset(), 7);
  EXPECT_EQ(member.value.end_offset(), 11);
  EXPECT_TRUE(member.value.boolean());
}

TEST(JsonDocumentTest, ViewsOutliveAMoveOfTheDocument) {
  JsonDocument document = Parsed(R"(["\n"])");
  const JsonValue element = *document.root().elements().begin();
  const JsonDocument moved = std::move(document);
  EXPECT_EQ(element.text(), "\n");
}

}  // namespace
}  // namespace kubelet_cm
