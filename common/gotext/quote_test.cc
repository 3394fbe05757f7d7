#include "common/gotext/quote.h"

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(GoQuoteTest, PlainTextStandsAsItIs) { EXPECT_EQ(GoQuote("pod-1/con_0 ~"), "\"pod-1/con_0 ~\""); }

TEST(GoQuoteTest, QuotesAndBackslashesAreEscaped) { EXPECT_EQ(GoQuote("a\"b\\c'd"), "\"a\\\"b\\\\c'd\""); }

TEST(GoQuoteTest, ControlCharactersHaveShortOrHexadecimalForms) {
  EXPECT_EQ(GoQuote("\a\b\f\n\r\t\v"), "\"\\a\\b\\f\\n\\r\\t\\v\"");
  EXPECT_EQ(GoQuote(std::string_view("\0\x1b\x1f\x7f", 4)), "\"\\x00\\x1b\\x1f\\x7f\"");
}

TEST(GoQuoteTest, MalformedBytesAreHexadecimal) {
  EXPECT_EQ(GoQuote("a\xff"
                    "b\xe2\x82"),
            "\"a\\xffb\\xe2\\x82\"");
  EXPECT_EQ(GoQuote("\xed\xa0\x80"), "\"\\xed\\xa0\\x80\"");
}

TEST(GoQuoteTest, PrintableRunesOfAllPlanesStandAsTheyAre) {
  for (std::string_view text : {"é", "世界", "\u0301", "٠", "😀", "\U00020000", "\U000323AF", "\uFFFD"}) {
    EXPECT_EQ(GoQuote(text), "\"" + std::string(text) + "\"");
  }
}

TEST(GoQuoteTest, SpacesOtherThanU0020AndFormatRunesAreEscaped) {
  EXPECT_EQ(GoQuote("\u00a0\u00ad\u2028\u200b\ufeff\ue000"), "\"\\u00a0\\u00ad\\u2028\\u200b\\ufeff\\ue000\"");
  EXPECT_EQ(GoQuote("\U000E0001\U0010FFFF"), "\"\\U000e0001\\U0010ffff\"");
}

TEST(GoQuoteByteTest, UsesSingleQuotes) {
  EXPECT_EQ(GoQuoteByte('x'), "'x'");
  EXPECT_EQ(GoQuoteByte('\''), "'\\''");
  EXPECT_EQ(GoQuoteByte('"'), "'\"'");
  EXPECT_EQ(GoQuoteByte('\\'), "'\\\\'");
  EXPECT_EQ(GoQuoteByte('\0'), "'\\x00'");
}

TEST(GoQuoteByteTest, HighBytesAreReadAsLatin1) {
  EXPECT_EQ(GoQuoteByte('\xef'), "'ï'");
  EXPECT_EQ(GoQuoteByte('\xa0'), "'\\u00a0'");
  EXPECT_EQ(GoQuoteByte('\x80'), "'\\u0080'");
}

TEST(IsPrintableRuneTest, EndsOfRangesAreExact) {
  EXPECT_FALSE(IsPrintableRune(0x1F));
  EXPECT_TRUE(IsPrintableRune(' '));
  EXPECT_TRUE(IsPrintableRune('~'));
  EXPECT_FALSE(IsPrintableRune(0x7F));
  EXPECT_FALSE(IsPrintableRune(0x378));
  EXPECT_FALSE(IsPrintableRune(0xD800));
  EXPECT_FALSE(IsPrintableRune(0x10FFFF));
}

// The number of graphic characters of Unicode 15.0 less the 16 spaces beside U+0020.
TEST(IsPrintableRuneTest, CountsTheGraphicRunesOfUnicode15) {
  int count = 0;
  for (char32_t rune = 0; rune <= 0x10FFFF; ++rune) count += IsPrintableRune(rune) ? 1 : 0;
  EXPECT_EQ(count, 148998);
}

}  // namespace
}  // namespace kubelet_cm
