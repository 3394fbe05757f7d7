#include "dra/slices/model_key.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace kubelet_cm::dra {
namespace {

constexpr size_t kMaxDigits = 18;  // that fit into 64 bits
constexpr int kMaxExponent = 1000;

// What a suffix multiplies by: 2 and 10 to these powers.
struct Scale {
  int twos = 0;
  int tens = 0;
};

std::optional<Scale> ScaleOf(std::string_view suffix) {
  if (suffix.empty()) return Scale();
  if (suffix.size() == 2 && suffix[1] == 'i') {
    const size_t step = std::string_view("KMGTPE").find(suffix[0]);
    if (step == std::string_view::npos) return std::nullopt;
    return Scale{.twos = 10 * static_cast<int>(step + 1)};
  }
  if (suffix.size() == 1) {
    const size_t step = std::string_view("num kMGTPE").find(suffix[0]);
    if (step != std::string_view::npos && suffix[0] != ' ') return Scale{.tens = 3 * (static_cast<int>(step) - 3)};
  }
  int exponent = 0;
  if ((suffix[0] != 'e' && suffix[0] != 'E') || !absl::SimpleAtoi(std::string(suffix.substr(1)), &exponent) ||
      exponent > kMaxExponent || exponent < -kMaxExponent) {
    return std::nullopt;
  }
  return Scale{.tens = exponent};
}

// How often `number`, which is not 0, can be divided by `factor`; it is.
int Divide(uint64_t factor, uint64_t* number) {
  int times = 0;
  for (; *number % factor == 0; ++times) *number /= factor;
  return times;
}

}  // namespace

std::string QuantityKey(std::string_view quantity) {
  const std::string itself = absl::StrCat("?", std::string(quantity));
  std::string_view rest = quantity;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  std::string digits;
  int decimals = 0;
  bool after_point = false;
  while (!rest.empty() && (absl::ascii_isdigit(rest[0]) || (rest[0] == '.' && !after_point))) {
    if (rest[0] == '.') {
      after_point = true;
    } else {
      if (!digits.empty() || rest[0] != '0') digits.push_back(rest[0]);
      decimals += after_point ? 1 : 0;
    }
    rest.remove_prefix(1);
    if (digits.size() > kMaxDigits) return itself;
  }
  const bool has_digits = quantity.find_first_of("0123456789") < quantity.size() - rest.size();
  const std::optional<Scale> scale = ScaleOf(rest);
  if (!has_digits || !scale.has_value()) return itself;
  uint64_t number = 0;
  if (digits.empty() || !absl::SimpleAtoi(digits, &number)) return "0";
  // Written as odd * 2^a * 5^b there is one way to write it.
  const int tens = scale->tens - decimals;
  const int twos = scale->twos + tens + Divide(2, &number);
  const int fives = tens + Divide(5, &number);
  return absl::StrCat(negative ? "-" : "", number, "*2^", twos, "*5^", fives);
}

std::string ModelKey(const ResourceModel& model) {
  ResourceModel canonical = model;
  if (canonical.has_named_resources()) {
    for (auto& instance : *canonical.mutable_named_resources()->mutable_instances()) {
      for (auto& attribute : *instance.mutable_attributes()) {
        if (!attribute.attribute_value().has_quantity()) continue;
        std::string* text = attribute.mutable_attribute_value()->mutable_quantity()->mutable_string();
        *text = QuantityKey(*text);
      }
    }
  }
  return canonical.SerializeAsString();
}

}  // namespace kubelet_cm::dra
