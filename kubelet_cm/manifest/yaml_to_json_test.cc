#include "kubelet_cm/manifest/yaml_to_json.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/json_document.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> Json(std::string_view yaml) {
  const auto documents = YamlToJson(yaml);
  EXPECT_OK(documents);
  std::vector<std::string> texts;
  if (documents.ok()) {
    for (const ManifestText& document : *documents) texts.push_back(document.json());
  }
  return texts;
}

auto IsRefused(const char* message) { return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(message)); }

TEST(YamlToJsonTest, WritesMapsListsAndScalars) {
  EXPECT_THAT(Json("a: 1\nb: [x, 'yes', yes, ~]\nc:\n- d: \"2\"\n  e:\n"),
              ElementsAre(R"({"a":1,"b":["x","yes",true,null],"c":[{"d":"2","e":null}]})"));
  EXPECT_THAT(Json("text: |\n  two\n  lines\n"), ElementsAre("{\"text\":\"two\\nlines\\n\"}"));
}

TEST(YamlToJsonTest, GivesEveryDocumentThatHasContent) {
  EXPECT_THAT(Json("# nothing\n---\na: 1\n---\n---\n# still nothing\n---\n- 2\n"), ElementsAre(R"({"a":1})", "[2]"));
  EXPECT_THAT(Json(""), IsEmpty());
  EXPECT_THAT(Json("---\n"), IsEmpty());
}

TEST(YamlToJsonTest, TakesKeysThatAreNotTextAsTheirText) {
  EXPECT_THAT(Json("1: a\ntrue: b\n0x10: c\n"), ElementsAre(R"({"1":"a","true":"b","16":"c"})"));
  EXPECT_THAT(YamlToJson("? [a]\n: b\n"), IsRefused("a key that is no text"));
  EXPECT_THAT(YamlToJson("~: b\n"), IsRefused("line 1, column 1: a key that is null"));
}

TEST(YamlToJsonTest, WritesAliasesOut) {
  EXPECT_THAT(Json("a: &x {i: 1}\nb: *x\nc: [*x, *x]\n"),
              ElementsAre(R"({"a":{"i":1},"b":{"i":1},"c":[{"i":1},{"i":1}]})"));
}

TEST(YamlToJsonTest, MergesMapsWithoutReplacingWhatIsThere) {
  EXPECT_THAT(Json("a: &x {i: 1, m: 2}\nb: &y {i: 5, k: 6}\nc:\n  <<: [*x, *y]\n  m: 3\n"),
              ElementsAre(R"({"a":{"i":1,"m":2},"b":{"i":5,"k":6},"c":{"m":3,"i":1,"k":6}})"));
  EXPECT_THAT(YamlToJson("<<: 1\n"), IsRefused("map merge requires map or sequence of maps as the value"));
}

TEST(YamlToJsonTest, FollowsTags) {
  EXPECT_THAT(Json("a: !!str 5\nb: !!int \"5\"\nc: !!map {}\n"), ElementsAre(R"({"a":"5","b":5,"c":{}})"));
  EXPECT_THAT(YamlToJson("a: !!int x\n"), IsRefused("line 1, column 4: tag \"tag:yaml.org,2002:int\" does not fit"));
  EXPECT_THAT(YamlToJson("a: !thing {}\n"), IsRefused("line 1, column 4: tag \"!thing\""));
}

TEST(YamlToJsonTest, NamesThePlaceOfWhatIsWrong) {
  EXPECT_THAT(YamlToJson("a: 1\nb: [1,\n"), IsRefused("line 3, column 1: "));
  EXPECT_THAT(YamlToJson("a: 1\n  b: 2\n"), IsRefused("line 2, column 4: "));
  EXPECT_THAT(YamlToJson("a:\n  b: 1\n  c: 2\n  b: 3\n"), IsRefused("line 4, column 3: key \"b\" already set in map"));
  EXPECT_THAT(YamlToJson("a: *nobody\n"), IsRefused("line 1, column 4: "));
  EXPECT_THAT(YamlToJson("a: .inf\n"), IsRefused("line 1, column 4: .inf is not a number that JSON has"));
  EXPECT_THAT(YamlToJson(std::string_view("a: 1\nb: \x04\n")), IsRefused("line 2, column 4: control characters"));
}

TEST(YamlToJsonTest, KnowsWhereEachValueStood) {
  ASSERT_OK_AND_ASSIGN(const auto documents, YamlToJson("---\nfirst: 1\n---\nspec:\n  list:\n  - a\n  - b: c\n"));
  ASSERT_EQ(documents.size(), 2);
  ASSERT_OK_AND_ASSIGN(const JsonDocument document, JsonDocument::Parse(documents[1].json()));
  const JsonValue spec = (*document.root().members().begin()).value;
  const JsonValue list = (*spec.members().begin()).value;
  EXPECT_EQ(documents[1].PlaceOf(spec.begin_offset()), (ManifestPlace{5, 3}));
  auto element = list.elements().begin();
  EXPECT_EQ(documents[1].PlaceOf((*element).begin_offset()), (ManifestPlace{6, 5}));
  ++element;
  EXPECT_EQ(documents[1].PlaceOf((*element).begin_offset()), (ManifestPlace{7, 5}));
}

TEST(YamlToJsonTest, SurvivesAliasesThatMultiply) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    absl::StrAppend(&bomb, "a", i, ": &a", i, " [");
    for (int j = 0; j < 10; ++j) absl::StrAppend(&bomb, "*a", i - 1, ", ");
    bomb += "]\n";
  }
  EXPECT_THAT(YamlToJson(bomb), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(YamlToJsonTest, SurvivesAliasesOfThemselves) {
  EXPECT_THAT(YamlToJson("a: &a [*a]\n"), IsRefused("levels deep"));
  EXPECT_THAT(YamlToJson("a: &a\n  <<: *a\n  b: 1\n"), IsRefused("levels deep"));
}

TEST(YamlToJsonTest, SurvivesNesting) {
  EXPECT_OK(YamlToJson(std::string(kMaxYamlDepth, '[') + std::string(kMaxYamlDepth, ']')));
  EXPECT_THAT(YamlToJson(std::string(kMaxYamlDepth + 1, '[') + std::string(kMaxYamlDepth + 1, ']')),
              IsRefused("levels deep"));
  EXPECT_THAT(YamlToJson(std::string(100'000, '[')), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(YamlToJson(std::string(kMaxYamlBytes + 1, ' ')), StatusIs(absl::StatusCode::kResourceExhausted));
}

}  // namespace
}  // namespace kubelet_cm
