#include "tools/cmctl/checkpoint/terminal_text.h"

#include "absl/strings/str_cat.h"
#include "common/gotext/quote.h"
#include "common/gotext/utf8.h"

namespace kubelet_cm::cmctl {
namespace {

bool Prints(std::string_view text) {
  while (!text.empty()) {
    const DecodedRune rune = DecodeRune(text);
    if (rune.malformed() || !IsPrintableRune(rune.rune)) return false;
    text.remove_prefix(rune.width);
  }
  return true;
}

// "\u202e"; of a rune beyond the first plane, both surrogates.
void AppendEscape(char32_t rune, std::string* out) {
  constexpr char32_t kFirstPlane = 0x10000;
  if (rune >= kFirstPlane) {
    constexpr char32_t kHigh = 0xD800;
    constexpr char32_t kLow = 0xDC00;
    constexpr char32_t kTenBits = 0x3FF;
    AppendEscape(kHigh + ((rune - kFirstPlane) >> 10), out);
    rune = kLow + ((rune - kFirstPlane) & kTenBits);
  }
  absl::StrAppend(out, "\\u", absl::Hex(static_cast<uint32_t>(rune), absl::kZeroPad4));
}

}  // namespace

std::string PrintableJson(std::string_view json) {
  constexpr char32_t kDelete = 0x7F;
  std::string text;
  while (!json.empty()) {
    const DecodedRune rune = DecodeRune(json);
    // What is below stands between strings, or has an escape in them.
    if (rune.rune < kDelete || (!rune.malformed() && IsPrintableRune(rune.rune))) {
      text += json.substr(0, rune.width);
    } else {
      AppendEscape(rune.rune, &text);
    }
    json.remove_prefix(rune.width);
  }
  return text;
}

std::string Printable(std::string_view text) { return Prints(text) ? std::string(text) : GoQuote(text); }

std::string Listed(const std::vector<std::string>& items, size_t most) {
  std::string text;
  for (size_t i = 0; i < items.size() && i < most; ++i) absl::StrAppend(&text, i == 0 ? "" : ", ", items[i]);
  if (items.size() > most) absl::StrAppend(&text, ", ... (", items.size(), " in all)");
  return text;
}

std::string Counted(size_t count, std::string_view one, std::string_view many) {
  return absl::StrCat(count, " ", Abseil(count == 1 ? one : many));
}

std::string Palette::In(std::string_view code, std::string_view text) const {
  if (!on_) return std::string(text);
  return absl::StrCat("\x1b[", Abseil(code), "m", Abseil(text), "\x1b[0m");
}

}  // namespace kubelet_cm::cmctl
