#include "kubelet_cm/manifest/quantity.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "absl/numeric/int128.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
// 10^19 is more than the largest number, whatever it is multiplied by.
constexpr int64_t kMaxIntegerDigits = 19;
// Less than 10^-40 is less than one even in exbibytes.
constexpr int64_t kMinExponent = -40;

absl::Status WrongForm() {
  return absl::InvalidArgumentError(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
}
absl::Status WrongNumber() { return absl::InvalidArgumentError("unable to parse numeric part of quantity"); }
absl::Status WrongSuffix() { return absl::InvalidArgumentError("unable to parse quantity's suffix"); }

// What the number before a suffix is multiplied by: 10^decimal or 2^binary.
struct Scale {
  int64_t decimal = 0;
  int binary = 0;
};

absl::StatusOr<Scale> ScaleOf(std::string_view suffix) {
  struct Row {
    std::string_view suffix;
    Scale scale;
  };
  static constexpr Row kRows[] = {
      {"n", {-9, 0}},  {"u", {-6, 0}},  {"m", {-3, 0}},  {"", {0, 0}},    {"k", {3, 0}},   {"M", {6, 0}},
      {"G", {9, 0}},   {"T", {12, 0}},  {"P", {15, 0}},  {"E", {18, 0}},  {"Ki", {0, 10}}, {"Mi", {0, 20}},
      {"Gi", {0, 30}}, {"Ti", {0, 40}}, {"Pi", {0, 50}}, {"Ei", {0, 60}},
  };
  for (const Row& row : kRows) {
    if (row.suffix == suffix) return row.scale;
  }
  if (suffix.size() < 2 || absl::ascii_tolower(static_cast<unsigned char>(suffix.front())) != 'e') return WrongSuffix();
  const std::string_view digits = suffix.substr(1);
  int32_t exponent = 0;
  if (digits.find_first_not_of("+-0123456789") != std::string_view::npos) return WrongSuffix();
  if (!absl::SimpleAtoi(absl::string_view(digits.data(), digits.size()), &exponent)) return WrongSuffix();
  return Scale{exponent, 0};
}

// The number before the suffix: digits * 10^exponent.
struct Decimal {
  bool negative = false;
  std::string digits;  // without leading zeros; empty: 0
  int64_t exponent = 0;
};

absl::StatusOr<Decimal> DecimalOf(std::string_view text) {
  Decimal decimal;
  if (text.starts_with('-') || text.starts_with('+')) {
    decimal.negative = text.front() == '-';
    text.remove_prefix(1);
  }
  const size_t point = text.find('.');
  if (text.empty() || text == "." || text.find('.', std::min(point, text.size() - 1) + 1) != std::string_view::npos) {
    return WrongNumber();
  }
  for (const char c : text) {
    if (c != '.') decimal.digits.push_back(c);
  }
  if (point != std::string_view::npos) decimal.exponent = -static_cast<int64_t>(text.size() - point - 1);
  decimal.digits.erase(0, std::min(decimal.digits.find_first_not_of('0'), decimal.digits.size()));
  return decimal;
}

// 0.digits * 2^binary: the whole part; whether something is left behind it.
struct Fraction {
  uint64_t whole = 0;
  bool rest = false;
};

Fraction ScaleFraction(std::string digits, int binary) {
  absl::uint128 carry = 0;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    const absl::uint128 product = (absl::uint128(static_cast<unsigned>(*digit - '0')) << binary) + carry;
    *digit = static_cast<char>('0' + static_cast<char>(product % 10));
    carry = product / 10;
  }
  return {static_cast<uint64_t>(carry), digits.find_first_not_of('0') != std::string::npos};
}

// The amount of a decimal that is scaled, rounded up.
Quantity Magnitude(Decimal decimal, const Scale& scale) {
  if (decimal.digits.empty()) return {};
  decimal.exponent += scale.decimal;
  const int64_t integer_digits = static_cast<int64_t>(decimal.digits.size()) + decimal.exponent;
  if (integer_digits > kMaxIntegerDigits) return {kMax, true};
  if (integer_digits < kMinExponent) return {1, false};
  std::string integer = decimal.digits.substr(0, static_cast<size_t>(std::max<int64_t>(integer_digits, 0)));
  integer.append(static_cast<size_t>(std::max<int64_t>(decimal.exponent, 0)), '0');
  std::string fraction(static_cast<size_t>(std::max<int64_t>(-integer_digits, 0)), '0');
  if (decimal.exponent < 0)
    fraction += decimal.digits.substr(static_cast<size_t>(std::max<int64_t>(integer_digits, 0)));
  uint64_t whole = 0;
  if (!integer.empty() && !absl::SimpleAtoi(integer, &whole)) return {kMax, true};
  const Fraction scaled = ScaleFraction(std::move(fraction), scale.binary);
  const absl::uint128 sum = (absl::uint128(whole) << scale.binary) + scaled.whole + (scaled.rest ? 1 : 0);
  if (sum > absl::uint128(static_cast<uint64_t>(kMax))) return {kMax, !scaled.rest};
  return {static_cast<int64_t>(absl::Uint128Low64(sum)), !scaled.rest};
}

}  // namespace

absl::StatusOr<Quantity> ParseQuantity(std::string_view text) {
  if (text.size() > kMaxQuantitySize) {
    return absl::InvalidArgumentError(
        absl::StrCat("a quantity of ", text.size(), " characters, of which it can have ", kMaxQuantitySize));
  }
  if (text.empty()) return WrongForm();
  const size_t signs = text.front() == '+' || text.front() == '-' ? 1 : 0;
  const size_t end = std::min(text.find_first_not_of("0123456789.", signs), text.size());
  if (end == signs) return WrongForm();
  ASSIGN_OR_RETURN(const Decimal decimal, DecimalOf(text.substr(0, end)));
  ASSIGN_OR_RETURN(const Scale scale, ScaleOf(text.substr(end)));
  Quantity quantity = Magnitude(decimal, scale);
  if (decimal.negative) quantity.value = -quantity.value;
  return quantity;
}

}  // namespace kubelet_cm
