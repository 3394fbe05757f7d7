#include "common/gotext/nested_json.h"

#include "common/gotext/byte_scan.h"
#include "common/gotext/json_string.h"
#include "common/gotext/utf8.h"

namespace kubelet_cm {
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

// A quote or a backslash.
template <typename Block>
uint64_t Escaped(const Block& block) {
  return block.Equals('"') | block.Equals('\\');
}

// Whole blocks are copied, and what lies behind a stop is then written again, so `out` has room for twice the text and
// one block more.
char* Nest(const char* in, const char* end, char* out) {
  constexpr auto kWidth = static_cast<ptrdiff_t>(WideBlock::kWidth);
  while (end - in >= kWidth) {
    const WideBlock block(in);
    block.Store(out);
    const uint64_t mask = Escaped(block);
    const size_t plain = mask == 0 ? WideBlock::kWidth : WideBlock::First(mask);
    in += plain;
    out += plain;
    if (mask == 0) continue;
    *out++ = '\\';
    *out++ = *in++;
  }
  for (; in < end; ++in) {
    if (*in == '"' || *in == '\\') *out++ = '\\';
    *out++ = *in;
  }
  return out;
}

// What ends the plain part of a string's body, or is left to JsonDocument.
struct UnnestStop {
  template <typename Block>
  static uint64_t Match(const Block& block) {
    return ReadStop::Match(block) | block.HighBit();
  }
  static bool Match(char byte) { return ReadStop::Match(byte) || static_cast<uint8_t>(byte) >= 0x80; }
};

}  // namespace

void AppendNestedJson(std::string_view json, std::string* out) {
  constexpr size_t kPart = 1024;
  char nested[2 * kPart + WideBlock::kWidth];
  for (size_t from = 0; from < json.size(); from += kPart) {
    const std::string_view part = json.substr(from, kPart);
    out->append(nested, Nest(part.data(), part.data() + part.size(), nested));
  }
}

std::optional<size_t> AppendUnnestedJson(std::string_view text, std::string* out) {
  const size_t before = out->size();
  out->resize(before + text.size() + WideBlock::kWidth);
  char* to = out->data() + before;
  size_t at = 0;
  while (at < text.size()) {
    if (at + WideBlock::kWidth <= text.size()) {
      const WideBlock block(text.data() + at);
      block.Store(to);
      const uint64_t mask = UnnestStop::Match(block);
      const size_t plain = mask == 0 ? WideBlock::kWidth : WideBlock::First(mask);
      at += plain;
      to += plain;
      if (mask == 0) continue;
    } else if (!UnnestStop::Match(text[at])) {
      *to++ = text[at++];
      continue;
    }
    if (text[at] == '"') {
      out->resize(static_cast<size_t>(to - out->data()));
      return at;
    }
    const char escaped = at + 1 < text.size() ? text[at + 1] : '\0';
    if (text[at] != '\\' || (escaped != '"' && escaped != '\\')) return std::nullopt;
    *to++ = escaped;
    at += 2;
  }
  return std::nullopt;
}

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

}  // namespace kubelet_cm
