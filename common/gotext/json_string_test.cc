#include "common/gotext/json_string.h"

#include <string>

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

std::string Quoted(std::string_view text, ControlEscapes escapes = ControlEscapes::kShort) {
  std::string out;
  AppendJsonString(text, escapes, &out);
  return out;
}

std::string Unquoted(std::string_view body) {
  std::string out;
  AppendUnquotedJson(body, &out);
  return out;
}

TEST(AppendJsonStringTest, PlainTextStandsAsItIs) {
  EXPECT_EQ(Quoted(""), R"("")");
  EXPECT_EQ(Quoted("example.com/gpu=0'~\x7f"), "\"example.com/gpu=0'~\x7f\"");
  EXPECT_EQ(Quoted("é世😀"), "\"é世😀\"");
}

TEST(AppendJsonStringTest, EscapesWhatJsonAndHtmlForbid) {
  EXPECT_EQ(Quoted("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(Quoted("<a>&</a>"), R"("\u003ca\u003e\u0026\u003c/a\u003e")");
  EXPECT_EQ(Quoted("\u2028\u2029\u202a"), "\"\\u2028\\u2029\u202a\"");
  EXPECT_EQ(Quoted(std::string_view("\n\r\t\0\x1f", 5)), R"("\n\r\t\u0000\u001f")");
}

TEST(AppendJsonStringTest, BackspaceAndFormFeedDependOnTheGoVersion) {
  EXPECT_EQ(Quoted("\b\f", ControlEscapes::kShort), R"("\b\f")");
  EXPECT_EQ(Quoted("\b\f", ControlEscapes::kNumeric), R"("\u0008\u000c")");
}

TEST(AppendJsonStringTest, EachMalformedByteBecomesAReplacementEscape) {
  EXPECT_EQ(Quoted("a\xff\xfe"
                   "b"),
            R"("a\ufffd\ufffdb")");
  EXPECT_EQ(Quoted("\xed\xa0\x80"), R"("\ufffd\ufffd\ufffd")");
  EXPECT_EQ(Quoted("\xEF\xBF\xBD"), "\"\xEF\xBF\xBD\"");
}

TEST(AppendUnquotedJsonTest, ReadsEveryEscape) {
  EXPECT_EQ(Unquoted(R"(\"\\\/\b\f\n\r\t)"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(Unquoted(R"(\u0041\u00e9\u4e16\u003C\u000a)"), "Aé世<\n");
  EXPECT_EQ(Unquoted(R"(\ud83d\ude00\uD83D\uDE00)"), "😀😀");
}

TEST(AppendUnquotedJsonTest, LoneSurrogatesBecomeReplacementCharacters) {
  EXPECT_EQ(Unquoted(R"(\ud83d)"), "\uFFFD");
  EXPECT_EQ(Unquoted(R"(\ude00x)"), "\uFFFDx");
  EXPECT_EQ(Unquoted(R"(\ude00\ude00)"), "\uFFFD\uFFFD");
  EXPECT_EQ(Unquoted(R"(\ud83d\u0041)"),
            "\uFFFD"
            "A");
  EXPECT_EQ(Unquoted(R"(\ud83d\ud83d\ude00)"), "\uFFFD😀");
  EXPECT_EQ(Unquoted(R"(\ud83d\n)"), "\uFFFD\n");
}

TEST(AppendUnquotedJsonTest, MalformedBytesBecomeReplacementCharacters) {
  EXPECT_EQ(Unquoted("a\xff\\n\xe2\x82z"), "a\uFFFD\n\uFFFD\uFFFDz");
}

TEST(AppendUnquotedJsonTest, KeepsWhatWasWrittenBefore) {
  std::string out = "before";
  AppendUnquotedJson("\\t", &out);
  EXPECT_EQ(out, "before\t");
}

// Escapes at every place of texts of every length around a block's.
TEST(AppendUnquotedJsonTest, UndoesQuotingWhereverTheEscapesStand) {
  for (size_t size = 0; size < 70; ++size) {
    for (size_t step = 1; step < 20; ++step) {
      std::string text(size, 'x');
      for (size_t i = step - 1; i < size; i += step) text[i] = "\"\\\n<\x01"[i % 5];
      const std::string quoted = Quoted(text);
      ASSERT_EQ(Unquoted(std::string_view(quoted).substr(1, quoted.size() - 2)), text);
    }
  }
}

}  // namespace
}  // namespace kubelet_cm
