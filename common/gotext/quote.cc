#include "common/gotext/quote.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/gotext/utf8.h"

namespace kubelet_cm {
namespace {

struct RuneRange {
  uint32_t first;
  uint32_t last;
};

constexpr RuneRange kPrintable[] = {
#include "common/gotext/printable_runes_table.inc"
};

// The letter of a two-character escape, 0 where there is none.
char ShortEscape(char32_t rune) {
  switch (rune) {
    case '\a':
      return 'a';
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    case '\v':
      return 'v';
    default:
      return 0;
  }
}

void AppendEscaped(char32_t rune, std::string* out) {
  const auto number = static_cast<uint32_t>(rune);
  if (const char letter = ShortEscape(rune); letter != 0) {
    out->append({'\\', letter});
  } else if (rune < 0x20 || rune == 0x7F) {
    absl::StrAppendFormat(out, "\\x%02x", number);
  } else if (rune < 0x10000) {
    absl::StrAppendFormat(out, "\\u%04x", number);
  } else {
    absl::StrAppendFormat(out, "\\U%08x", number);
  }
}

// Appends `text` as between quotes of the kind `quote`.
void AppendQuoted(std::string_view text, char quote, std::string* out) {
  while (!text.empty()) {
    const DecodedRune decoded = DecodeRune(text);
    if (decoded.malformed()) {
      absl::StrAppendFormat(out, "\\x%02x", static_cast<uint32_t>(static_cast<uint8_t>(text[0])));
    } else if (decoded.rune == static_cast<char32_t>(quote) || decoded.rune == '\\') {
      out->append({'\\', text[0]});
    } else if (IsPrintableRune(decoded.rune)) {
      out->append(text.substr(0, decoded.width));
    } else {
      AppendEscaped(decoded.rune, out);
    }
    text.remove_prefix(decoded.width);
  }
}

}  // namespace

bool IsPrintableRune(char32_t rune) {
  const auto* range = std::lower_bound(std::begin(kPrintable), std::end(kPrintable), static_cast<uint32_t>(rune),
                                       [](const RuneRange& r, uint32_t wanted) { return r.last < wanted; });
  return range != std::end(kPrintable) && range->first <= rune;
}

std::string GoQuote(std::string_view text) {
  std::string out = "\"";
  out.reserve(text.size() + 2);
  AppendQuoted(text, '"', &out);
  out.push_back('"');
  return out;
}

std::string GoQuoteByte(char byte) {
  char latin[4];
  const size_t width = EncodeRune(static_cast<uint8_t>(byte), latin);
  std::string out = "'";
  AppendQuoted(std::string_view(latin, width), '\'', &out);
  out.push_back('\'');
  return out;
}

}  // namespace kubelet_cm
