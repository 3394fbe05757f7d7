#include "dra/checkpoint/inner_offset.h"

#include <string>

#include "common/gotext/json_string.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

// Each character of the inner text is found at the start of what stands for it.
TEST(InnerOffsetTest, EscapesAreCountedAsWhatTheyStandFor) {
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

TEST(InnerOffsetTest, BadUtf8CountsAsItsReplacement) {
  EXPECT_EQ(OffsetInJsonString("\xFF-x", 3), 1);
  EXPECT_EQ(OffsetInJsonString("\xC3\xA9x", 2), 2);
}

TEST(InnerOffsetTest, WhatLiesBehindTheEndIsTheEnd) {
  EXPECT_EQ(OffsetInJsonString("abc", 99), 3);
  EXPECT_EQ(OffsetInJsonString("a\\", 99), 2);
  EXPECT_EQ(OffsetInJsonString("", 0), 0);
}

}  // namespace
}  // namespace kubelet_cm::dra
