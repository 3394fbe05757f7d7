// UTF-8 one code point at a time, with Go's reading of malformed text: each byte that does not belong to a well-formed
// sequence is one U+FFFD of width 1. Surrogates, overlong forms and values above U+10FFFF are malformed.
//
// Pure functions. Whole texts are checked with simdjson::validate_utf8, which draws the same line.
#ifndef KUBELET_CM_COMMON_GOTEXT_UTF8_H_
#define KUBELET_CM_COMMON_GOTEXT_UTF8_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kubelet_cm {

inline constexpr char32_t kReplacementRune = 0xFFFD;

// A code point and how many bytes of the text it took.
struct DecodedRune {
  char32_t rune;
  size_t width;

  // A U+FFFD that stands in the text itself is three bytes wide.
  bool malformed() const { return rune == kReplacementRune && width == 1; }
};

// Reads the code point at the start of `text`, which is not empty.
DecodedRune DecodeRune(std::string_view text);

// Writes the UTF-8 form of `rune`, a valid code point, to `out` (room for 4 bytes); returns how many bytes it took.
size_t EncodeRune(char32_t rune, char* out);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_GOTEXT_UTF8_H_
