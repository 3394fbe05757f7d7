#include "common/gotext/nested_json.h"

#include <string>

#include "common/gotext/json_string.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(NestedJsonTest, IsWhatAStringOfThatTextWouldBe) {
  for (size_t size = 0; size < 3000; size += 1 + size / 20) {
    std::string json;
    while (json.size() < size) json += "{\"a\\\\b\":[\"\xC3\xA9 a longer text without anything\",\"\"]}";
    json.resize(size);
    std::string nested = "x";
    AppendNestedJson(json, &nested);
    std::string wanted;
    AppendJsonString(json.substr(0, json.size() - (json.ends_with('\xC3') ? 1 : 0)), ControlEscapes::kShort, &wanted);
    wanted.erase(0, 1).pop_back();
    if (json.ends_with('\xC3')) wanted += '\xC3';
    EXPECT_EQ(nested, "x" + wanted) << size;
  }
}

TEST(NestedJsonTest, UnnestingGivesBackWhatWasNested) {
  for (size_t size = 0; size < 500; ++size) {
    std::string json;
    while (json.size() < size) json += "{\"a\\\\b\":[\"a longer text without anything\",\"\"]}";
    json.resize(size);
    std::string nested;
    AppendNestedJson(json, &nested);
    std::string out = "x";
    EXPECT_EQ(AppendUnnestedJson(nested + "\",\"more\\u\":\x01}", &out), nested.size());
    EXPECT_EQ(out, "x" + json);
  }
}

// What kubelets write goes a line at a time: wherever the lines end, and whatever interrupts them.
TEST(NestedJsonTest, UnnestingDoesNotDependOnWhereLinesEnd) {
  for (size_t before = 0; before < 140; ++before) {
    std::string json(before, 'x');
    for (int i = 0; i < 30; ++i) json += R"({"key":"","":["value"],"a longer key":{}})";
    std::string nested;
    AppendNestedJson(json, &nested);
    nested += '"';
    std::string out;
    EXPECT_EQ(AppendUnnestedJson(nested, &out), nested.size() - 1);
    EXPECT_EQ(out, json) << before;

    std::string interrupted = nested;
    interrupted.insert(before, "\\\\");
    out.clear();
    EXPECT_EQ(AppendUnnestedJson(interrupted, &out), interrupted.size() - 1);
    EXPECT_EQ(out, json.substr(0, before) + "\\" + json.substr(before)) << before;

    for (const char* unusual : {"\\n", "\x1F", "\xC3\xA9"}) {
      interrupted = nested;
      interrupted.insert(before, unusual);
      EXPECT_EQ(AppendUnnestedJson(interrupted, &out), std::nullopt) << before;
    }
    interrupted = nested;
    interrupted.insert(before, "\"");
    EXPECT_EQ(AppendUnnestedJson(interrupted, &out), before);
  }
}

TEST(NestedJsonTest, UnnestingLeavesTheUnusualToOthers) {
  for (const char* text : {"", "a", "a\\", "a\\n\"", "a\\u0061\"", "a\x01\"", "\xC3\xA9\"", "0123456789abcde\x7F\x80\"",
                           "0123456789abcdef0123456789abcdef\\"}) {
    std::string out;
    EXPECT_EQ(AppendUnnestedJson(text, &out), std::nullopt) << text;
  }
}

// Each character of the inner text is found at the start of what stands for it.
TEST(NestedJsonTest, EscapesAreCountedAsWhatTheyStandFor) {
  const std::string body = R"({\"a\":\"\u00e9\ud83d\ude00\ud83dx\n\"})";
  std::string inner;
  AppendUnquotedJson(body, &inner);
  EXPECT_EQ(inner, "{\"a\":\"\xC3\xA9\xF0\x9F\x98\x80\xEF\xBF\xBDx\n\"}");
  EXPECT_EQ(OffsetInJsonString(body, 0), 0);
  EXPECT_EQ(OffsetInJsonString(body, 1), 1);  // the quote, at its backslash
  EXPECT_EQ(OffsetInJsonString(body, 2), 3);  // a
  EXPECT_EQ(OffsetInJsonString(body, 6), static_cast<int64_t>(body.find("\\u00e9")));
  EXPECT_EQ(OffsetInJsonString(body, 7), static_cast<int64_t>(body.find("\\u00e9")));  // inside of it
  EXPECT_EQ(OffsetInJsonString(body, 8), static_cast<int64_t>(body.find("\\ud83d")));
  EXPECT_EQ(OffsetInJsonString(body, 12), static_cast<int64_t>(body.rfind("\\ud83d")));
  EXPECT_EQ(OffsetInJsonString(body, 15), static_cast<int64_t>(body.find('x')));
  EXPECT_EQ(OffsetInJsonString(body, 16), static_cast<int64_t>(body.find("\\n")));
}

TEST(NestedJsonTest, BadUtf8CountsAsItsReplacement) {
  EXPECT_EQ(OffsetInJsonString("\xFF-x", 3), 1);
  EXPECT_EQ(OffsetInJsonString("\xC3\xA9x", 2), 2);
}

TEST(NestedJsonTest, WhatLiesBehindTheEndIsTheEnd) {
  EXPECT_EQ(OffsetInJsonString("abc", 99), 3);
  EXPECT_EQ(OffsetInJsonString("a\\", 99), 2);
  EXPECT_EQ(OffsetInJsonString("", 0), 0);
}

}  // namespace
}  // namespace kubelet_cm
