#include "dra/checkpoint/string_lists.h"

#include <string>
#include <string_view>

#include "common/gotext/json_document.h"
#include "common/status/check.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

StringSet DecodedSet(std::string_view json, std::string* error = nullptr) {
  const auto document = JsonDocument::Parse(json);
  CHECK(document.ok()) << document.status();
  JsonDecoder decoder;
  StringSet set;
  DecodeStringSet(decoder, document->root(), &set);
  if (error != nullptr) *error = std::string(decoder.status().message());
  return set;
}

std::string Appended(const StringSet& set) {
  std::string out;
  AppendStringSet(set, ControlEscapes::kShort, &out);
  return out;
}

std::string Appended(const StringList& list) {
  std::string out;
  AppendStringList(list, ControlEscapes::kShort, &out);
  return out;
}

TEST(StringListsTest, SetsAreSortedAndValuesDoNotMatter) {
  EXPECT_EQ(Appended(DecodedSet(R"({"b":{"x":1},"a":null,"b":{}})")), R"({"a":{},"b":{}})");
  EXPECT_EQ(Appended(DecodedSet("{}")), "{}");
  EXPECT_EQ(Appended(DecodedSet("null")), "null");
}

TEST(StringListsTest, SetErrorsNameGosTypes) {
  std::string error;
  DecodedSet(R"(["a"])", &error);
  EXPECT_EQ(error, "json: cannot unmarshal array into Go value of type sets.Set[string]");
  EXPECT_EQ(DecodedSet(R"({"a":true})", &error)->count("a"), 1u);
  EXPECT_EQ(error, "json: cannot unmarshal bool into Go value of type sets.Empty");
}

TEST(StringListsTest, ListsKeepNilAndEmptyApart) {
  StringList list;
  EXPECT_EQ(Appended(list), "null");
  list.Set({});
  EXPECT_EQ(Appended(list), "[]");
  list.Set({"b", "<a>"});
  EXPECT_EQ(Appended(list), R"(["b","\u003ca\u003e"])");
}

}  // namespace
}  // namespace kubelet_cm::dra
