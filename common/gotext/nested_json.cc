#include "common/gotext/nested_json.h"

#include <bit>

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

bool IsPlain(char byte) { return !UnnestStop::Match(byte); }

// Copies the plain bytes of one block, or one plain byte near the end; returns what it has not copied.
const char* CopyPlain(const char* in, const char* end, char*& out) {
  if (end - in < static_cast<ptrdiff_t>(WideBlock::kWidth)) {
    if (IsPlain(*in)) *out++ = *in++;
    return in;
  }
  const WideBlock block(in);
  block.Store(out);
  const uint64_t mask = UnnestStop::Match(block);
  const size_t plain = mask == 0 ? WideBlock::kWidth : WideBlock::First(mask);
  out += plain;
  return in + plain;
}

constexpr size_t kLine = 64;
// What one line may write, and what is written behind it only to be overwritten.
constexpr size_t kUnnestedRoom = kLine + WideBlock::kWidth;

// Whole blocks: what is copied too much is overwritten by what comes next.
void CopyBlocks(const char* in, size_t size, char* out) {
  size_t done = 0;
  do {
    WideBlock(in + done).Store(out + done);
    done += WideBlock::kWidth;
  } while (done < size);
}

// The usual line of a state file, 64 bytes of plain text and escaped quotes, in a third of the time that it takes to go
// from one escape to the next: the places of all of them are known at once. False, with nothing done, for another line
// or near the end.
bool UnnestLine(const char*& in, const char* end, char*& out) {
  if constexpr (!WideBlock::kExact) return false;
  if (end - in < static_cast<ptrdiff_t>(kUnnestedRoom)) return false;
  uint64_t backslashes = 0;
  uint64_t quotes = 0;
  uint64_t others = 0;
  for (size_t at = 0; at < kLine; at += WideBlock::kWidth) {
    const WideBlock block(in + at);
    backslashes |= block.Equals('\\') << at;
    quotes |= block.Equals('"') << at;
    others |= (block.BelowSpace() | block.HighBit()) << at;
  }
  // An escape that begins with the last byte is left to the next line.
  const size_t width = kLine - static_cast<size_t>(backslashes >> (kLine - 1));
  backslashes &= ~uint64_t{0} >> 1;
  if (others != 0 || quotes != backslashes << 1) return false;
  size_t from = 0;
  for (; backslashes != 0; backslashes &= backslashes - 1) {
    const auto escape = static_cast<size_t>(std::countr_zero(backslashes));
    CopyBlocks(in + from, escape - from, out);
    out += escape - from;
    from = escape + 1;
  }
  CopyBlocks(in + from, width - from, out);
  out += width - from;
  in += width;
  return true;
}

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
  constexpr size_t kPart = 4096;
  char part[kPart + kUnnestedRoom];
  char* to = part;
  out->reserve(out->size() + text.size());
  const char* in = text.data();
  const char* const end = in + text.size();
  while (in < end) {
    if (to >= part + kPart) {
      out->append(part, to);
      to = part;
    }
    if (UnnestLine(in, end, to)) continue;
    in = CopyPlain(in, end, to);
    if (in == end || IsPlain(*in)) continue;
    if (*in == '"') {
      out->append(part, to);
      return static_cast<size_t>(in - text.data());
    }
    const char escaped = end - in > 1 ? in[1] : '\0';
    if (*in != '\\' || (escaped != '"' && escaped != '\\')) return std::nullopt;
    *to++ = escaped;
    in += 2;
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
