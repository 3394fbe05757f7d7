#include "kubelet_cm/manifest/yaml_scalar.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace kubelet_cm {
namespace {

// `lower` in lower case, with a first capital, or in capitals: the three spellings that YAML has of a word.
bool IsWord(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
  if (text == lower) return true;
  const bool capital = text.front() == upper(lower.front());
  return capital && (text.substr(1) == lower.substr(1) || std::equal(text.begin(), text.end(), lower.begin(),
                                                                     [&](char a, char b) { return a == upper(b); }));
}

bool IsAnyWord(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [text](std::string_view word) { return IsWord(text, word); });
}

bool IsSpecialNumber(std::string_view text) {
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return true;
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return text == ".inf" || text == ".Inf" || text == ".INF";
}

// The base that the digits say by their prefix, which is taken off.
int TakeBase(std::string_view& digits) {
  if (digits.size() < 2 || digits.front() != '0') return 10;
  const char mark = digits[1];
  const int base = mark == 'x' || mark == 'X' ? 16 : mark == 'b' || mark == 'B' ? 2 : 8;
  digits.remove_prefix(base != 8 || mark == 'o' || mark == 'O' ? 2 : 1);
  return base;
}

std::optional<std::string> IntegerJson(std::string_view number) {
  const bool negative = number.starts_with('-');
  if (negative || number.starts_with('+')) number.remove_prefix(1);
  const int base = TakeBase(number);
  uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), magnitude, base);
  if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
  if (negative && magnitude > uint64_t{1} << 63) return std::nullopt;
  return absl::StrCat(negative && magnitude != 0 ? "-" : "", magnitude);
}

std::string_view TakeDigits(std::string_view& text) {
  const std::string_view digits = text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
  text.remove_prefix(digits.size());
  return digits;
}

// A number with a point or an exponent, spelt as JSON wants it. Its digits are kept: quantities have more than a
// double.
std::optional<std::string> FloatJson(std::string_view number) {
  double value = 0;
  const std::string_view whole = number;
  const bool negative = number.starts_with('-');
  if (negative || number.starts_with('+')) number.remove_prefix(1);
  std::string_view integer = TakeDigits(number);
  std::string_view fraction;
  if (number.starts_with('.')) {
    number.remove_prefix(1);
    fraction = TakeDigits(number);
  }
  if (integer.empty() && fraction.empty()) return std::nullopt;
  integer.remove_prefix(std::min(integer.find_first_not_of('0'), integer.size()));
  std::string json = absl::StrCat(negative ? "-" : "", integer.empty() ? "0" : std::string(integer));
  if (!fraction.empty()) absl::StrAppend(&json, ".", std::string(fraction));
  if (number.starts_with('e') || number.starts_with('E')) {
    std::string_view exponent = number.substr(1);
    if (exponent.starts_with('-') || exponent.starts_with('+')) exponent.remove_prefix(1);
    if (exponent.empty() || exponent.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
    json += number;
  } else if (!number.empty()) {
    return std::nullopt;
  }
  if (!absl::SimpleAtod(absl::string_view(whole.data(), whole.size()), &value) || std::isinf(value))
    return std::nullopt;
  return json;
}

}  // namespace

absl::StatusOr<YamlScalar> ResolvePlainScalar(std::string_view plain) {
  if (plain.empty() || plain == "~" || IsWord(plain, "null")) return YamlScalar{JsonType::kNull, "null"};
  if (IsAnyWord(plain, {"true", "yes", "on", "y"})) return YamlScalar{JsonType::kBool, "true"};
  if (IsAnyWord(plain, {"false", "no", "off", "n"})) return YamlScalar{JsonType::kBool, "false"};
  if (IsSpecialNumber(plain)) {
    return absl::InvalidArgumentError(absl::StrCat(std::string(plain), " is not a number that JSON has"));
  }
  const std::string number = absl::StrReplaceAll(absl::string_view(plain.data(), plain.size()), {{"_", ""}});
  if (plain.find_first_of("0123456789") == std::string_view::npos || plain.starts_with('_')) {
    return YamlScalar{JsonType::kString, std::string(plain)};
  }
  if (auto json = IntegerJson(number)) return YamlScalar{JsonType::kNumber, *std::move(json)};
  if (auto json = FloatJson(number)) return YamlScalar{JsonType::kNumber, *std::move(json)};
  return YamlScalar{JsonType::kString, std::string(plain)};
}

}  // namespace kubelet_cm
