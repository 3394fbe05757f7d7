#include "common/gotext/json_string.h"

#include <cstdint>
#include <cstring>

#include "common/gotext/byte_scan.h"
#include "common/gotext/utf8.h"
#include "common/status/check.h"
#include "simdjson.h"

namespace kubelet_cm {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";
constexpr char32_t kLineSeparator = 0x2028;
constexpr char32_t kParagraphSeparator = 0x2029;

// The letter of a two-character escape, 0 where there is none.
char ShortEscape(char byte, ControlEscapes escapes) {
  const bool short_form = escapes == ControlEscapes::kShort;
  switch (byte) {
    case '"':
    case '\\':
      return byte;
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    case '\b':
      return short_form ? 'b' : '\0';
    case '\f':
      return short_form ? 'f' : '\0';
    default:
      return 0;
  }
}

void AppendEscapedByte(char byte, ControlEscapes escapes, std::string* out) {
  if (const char letter = ShortEscape(byte, escapes); letter != 0) {
    const char escape[] = {'\\', letter};
    out->append(escape, sizeof(escape));
    return;
  }
  const auto value = static_cast<uint8_t>(byte);
  const char escape[] = {'\\', 'u', '0', '0', kHexDigits[value >> 4], kHexDigits[value & 0xF]};
  out->append(escape, sizeof(escape));
}

// Appends the non-ASCII code point at the start of `text` and returns its width there.
size_t AppendNonAscii(std::string_view text, std::string* out) {
  const DecodedRune decoded = DecodeRune(text);
  if (decoded.malformed()) {
    out->append("\\ufffd");
  } else if (decoded.rune == kLineSeparator) {
    out->append("\\u2028");
  } else if (decoded.rune == kParagraphSeparator) {
    out->append("\\u2029");
  } else {
    out->append(text.substr(0, decoded.width));
  }
  return decoded.width;
}

// Reads the four digits of \uXXXX; the syntax is known to be right.
char32_t FourHexDigits(const char* digits) {
  char32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const auto digit = static_cast<uint8_t>(digits[i]);
    value = value << 4 | (digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10u);
  }
  return value;
}

bool IsHighSurrogate(char32_t rune) { return rune >= 0xD800 && rune < 0xDC00; }
bool IsLowSurrogate(char32_t rune) { return rune >= 0xDC00 && rune < 0xE000; }

// Reads \uXXXX at `in`, or two of them that are a surrogate pair, and moves `in` behind it.
char32_t UnicodeEscape(const char*& in, const char* end) {
  const char32_t first = FourHexDigits(in + 2);
  in += 6;
  if (!IsHighSurrogate(first) && !IsLowSurrogate(first)) return first;
  if (IsHighSurrogate(first) && end - in >= 6 && in[0] == '\\' && in[1] == 'u') {
    if (const char32_t second = FourHexDigits(in + 2); IsLowSurrogate(second)) {
      in += 6;
      return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    }
  }
  return kReplacementRune;
}

// Reads the escape at `in`, moves `in` behind it and writes what it stands for.
char* UnescapeOne(const char*& in, const char* end, char* out) {
  char value = in[1];
  switch (value) {
    case 'u':
      return out + EncodeRune(UnicodeEscape(in, end), out);
    case 'b':
      value = '\b';
      break;
    case 'f':
      value = '\f';
      break;
    case 'n':
      value = '\n';
      break;
    case 'r':
      value = '\r';
      break;
    case 't':
      value = '\t';
      break;
    default:  // the character itself
      break;
  }
  *out = value;
  in += 2;
  return out + 1;
}

// For text known to be UTF-8. Whole blocks are copied and what lies behind a backslash is then overwritten, so `out`
// has room for the text and one block more.
char* UnquoteUtf8(const char* in, const char* end, char* out) {
  constexpr auto kWidth = static_cast<ptrdiff_t>(WideBlock::kWidth);
  while (end - in >= kWidth) {
    const WideBlock block(in);
    block.Store(out);
    const uint64_t mask = block.Equals('\\');
    if (mask == 0) {
      in += kWidth;
      out += kWidth;
      continue;
    }
    in += WideBlock::First(mask);
    out = UnescapeOne(in, end, out + WideBlock::First(mask));
  }
  while (in < end) {
    if (*in == '\\') {
      out = UnescapeOne(in, end, out);
    } else {
      *out++ = *in++;
    }
  }
  return out;
}

// For any text, rune by rune; `out` has room for three times the text.
char* UnquoteReplacing(const char* in, const char* end, char* out) {
  while (in < end) {
    if (*in == '\\') {
      out = UnescapeOne(in, end, out);
      continue;
    }
    const DecodedRune decoded = DecodeRune(std::string_view(in, static_cast<size_t>(end - in)));
    in += decoded.width;
    out += EncodeRune(decoded.rune, out);
  }
  return out;
}

}  // namespace

void AppendJsonString(std::string_view text, ControlEscapes escapes, std::string* out) {
  out->push_back('"');
  while (true) {
    const size_t plain = FindStop<WriteStop>(text.data(), text.size());
    out->append(text.data(), plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    size_t width = 1;
    if (static_cast<uint8_t>(text[0]) < 0x80) {
      AppendEscapedByte(text[0], escapes, out);
    } else {
      width = AppendNonAscii(text, out);
    }
    text.remove_prefix(width);
  }
  out->push_back('"');
}

void AppendUnquotedJson(std::string_view body, std::string* out) {
  const bool utf8 = simdjson::validate_utf8(body);
  const size_t room = utf8 ? body.size() + WideBlock::kWidth : 3 * body.size();
  const size_t before = out->size();
  out->resize(before + room);
  char* const start = out->data() + before;
  const char* const end = body.data() + body.size();
  const char* const written = utf8 ? UnquoteUtf8(body.data(), end, start) : UnquoteReplacing(body.data(), end, start);
  CHECK(written <= start + room) << "unquoting " << body.size() << " bytes";
  out->resize(before + static_cast<size_t>(written - start));
}

}  // namespace kubelet_cm
