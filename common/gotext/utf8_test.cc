#include "common/gotext/utf8.h"

#include <string>

#include "gtest/gtest.h"
#include "simdjson.h"

namespace kubelet_cm {
namespace {

bool WellFormed(std::string_view text) {
  while (!text.empty()) {
    const DecodedRune decoded = DecodeRune(text);
    if (decoded.malformed()) return false;
    text.remove_prefix(decoded.width);
  }
  return true;
}

TEST(Utf8Test, EveryCodePointSurvivesEncodingAndDecoding) {
  for (char32_t rune = 0; rune <= 0x10FFFF; ++rune) {
    if (rune >= 0xD800 && rune <= 0xDFFF) continue;
    char bytes[4];
    const size_t width = EncodeRune(rune, bytes);
    const DecodedRune decoded = DecodeRune(std::string_view(bytes, width));
    ASSERT_EQ(decoded.rune, rune);
    ASSERT_EQ(decoded.width, width);
  }
}

TEST(Utf8Test, MalformedBytesAreTakenOneByOne) {
  for (std::string_view text :
       {"\x80", "\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\xF0\x9F\x98"}) {
    const DecodedRune decoded = DecodeRune(text);
    EXPECT_TRUE(decoded.malformed());
    EXPECT_EQ(decoded.rune, kReplacementRune);
  }
}

TEST(Utf8Test, ReplacementCharacterInTheTextIsNotMalformed) { EXPECT_FALSE(DecodeRune("\xEF\xBF\xBD").malformed()); }

TEST(Utf8Test, DrawsTheSameLineAsTheBulkValidator) {
  for (int lead = 0x80; lead < 0x100; ++lead) {
    for (int second = 0; second < 0x100; ++second) {
      for (std::string_view rest : {"", "\x80", "\xBF\xBF", "a"}) {
        std::string text = {static_cast<char>(lead), static_cast<char>(second)};
        text += rest;
        ASSERT_EQ(WellFormed(text), simdjson::validate_utf8(text)) << lead << " " << second << " " << rest.size();
      }
    }
  }
}

}  // namespace
}  // namespace kubelet_cm
