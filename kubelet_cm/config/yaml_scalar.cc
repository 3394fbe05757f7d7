#include "kubelet_cm/config/yaml_scalar.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <system_error>

#include "re2/re2.h"

namespace kubelet_cm::config {
namespace {

// `text` is one of the three spellings of `word`: on, On, ON.
bool Spells(std::string_view text, std::string_view word) {
  if (text.size() != word.size() || text.empty()) return false;
  const auto same = [](std::string_view a, std::string_view b, int shift) {
    return std::equal(a.begin(), a.end(), b.begin(),
                      [shift](char x, char y) { return x == static_cast<char>(y >= 'a' && y <= 'z' ? y + shift : y); });
  };
  constexpr int kToUpper = 'A' - 'a';
  if (same(text, word, kToUpper)) return true;
  return (text.front() == word.front() || text.front() == word.front() + kToUpper) &&
         same(text.substr(1), word.substr(1), 0);
}

bool SpellsOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [text](std::string_view word) { return Spells(text, word); });
}

// The digits as Go's ParseInt with base 0 takes them: 0x, 0o, 0b and a leading 0 say the base.
std::optional<uint64_t> ParseDigits(std::string_view digits) {
  int base = 10;
  if (digits.size() > 1 && digits[0] == '0') {
    const char mark = static_cast<char>(digits[1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
    digits.remove_prefix(mark == 'x' || mark == 'b' || mark == 'o' ? 2 : 1);
  }
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty()) return std::nullopt;
  return value;
}

std::optional<YamlScalar> ParseInteger(std::string_view text) {
  const bool negative = text.front() == '-';
  const bool is_signed = negative || text.front() == '+';
  const std::optional<uint64_t> size = ParseDigits(text.substr(is_signed ? 1 : 0));
  if (!size.has_value()) return std::nullopt;
  constexpr uint64_t kLargest = std::numeric_limits<int64_t>::max();
  if (negative) {
    if (*size > kLargest + 1) return std::nullopt;
    return YamlScalar(static_cast<int64_t>(-*size));
  }
  if (*size <= kLargest) return YamlScalar(static_cast<int64_t>(*size));
  // A sign is taken for signed numbers only.
  return is_signed ? std::nullopt : std::optional<YamlScalar>(*size);
}

std::optional<double> ParseFloat(std::string_view text) {
  static const RE2 kFloat(R"([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?)");
  if (!RE2::FullMatch(re2::StringPiece(text.data(), text.size()), kFloat)) return std::nullopt;
  if (text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

}  // namespace

YamlScalar ResolvePlainScalar(std::string_view text) {
  if (text.empty() || text == "~" || Spells(text, "null")) return std::monostate();
  if (SpellsOneOf(text, {"y", "yes", "true", "on"})) return true;
  if (SpellsOneOf(text, {"n", "no", "false", "off"})) return false;
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return std::numeric_limits<double>::quiet_NaN();
  const bool negative = text.front() == '-';
  const std::string_view size = text.substr(negative || text.front() == '+' ? 1 : 0);
  if (size.starts_with('.') && Spells(size.substr(1), "inf")) {
    return negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  }
  const bool is_digit = text.front() >= '0' && text.front() <= '9';
  if (!is_digit && !negative && text.front() != '+' && text.front() != '.') return YamlText();
  std::string plain(text);
  std::erase(plain, '_');
  if (const auto integer = ParseInteger(plain); integer.has_value()) return *integer;
  if (const auto number = ParseFloat(plain); number.has_value()) return *number;
  return YamlText();
}

}  // namespace kubelet_cm::config
