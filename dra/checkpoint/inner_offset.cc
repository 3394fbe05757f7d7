#include "dra/checkpoint/inner_offset.h"

#include <string>

#include "common/gotext/json_string.h"
#include "common/gotext/utf8.h"

namespace kubelet_cm::dra {
namespace {

constexpr size_t kUnicodeEscape = 6;  // \uXXXX

bool StartsUnicodeEscape(std::string_view text) { return text.size() >= kUnicodeEscape && text.substr(0, 2) == "\\u"; }

size_t UnescapedSize(std::string_view text) {
  std::string unescaped;
  AppendUnquotedJson(text, &unescaped);
  return unescaped.size();
}

// How much of `text`, which starts with a backslash, is one escape: two where they are a surrogate pair.
size_t EscapeWidth(std::string_view text) {
  if (!StartsUnicodeEscape(text)) return 2;
  const std::string_view behind = text.substr(kUnicodeEscape);
  // Two that are no pair stand for two characters of three bytes, a pair for one of four.
  const bool pair = StartsUnicodeEscape(behind) && (text[2] | 0x20) == 'd' && text[3] >= '8' &&
                    UnescapedSize(text.substr(0, 2 * kUnicodeEscape)) == 4;
  return pair ? 2 * kUnicodeEscape : kUnicodeEscape;
}

}  // namespace

int64_t OffsetInJsonString(std::string_view body, int64_t inner_offset) {
  size_t at = 0;
  int64_t inner = 0;
  while (at < body.size() && inner < inner_offset) {
    size_t width = 1;
    size_t inner_width = 1;
    if (body[at] == '\\') {
      width = EscapeWidth(body.substr(at));
      inner_width = UnescapedSize(body.substr(at, width));
    } else if (static_cast<uint8_t>(body[at]) >= 0x80) {
      const DecodedRune rune = DecodeRune(body.substr(at));
      width = rune.width;
      inner_width = rune.malformed() ? 3 : rune.width;  // U+FFFD
    }
    if (inner + static_cast<int64_t>(inner_width) > inner_offset) break;
    at += width;
    inner += static_cast<int64_t>(inner_width);
  }
  return static_cast<int64_t>(at < body.size() ? at : body.size());
}

}  // namespace kubelet_cm::dra
