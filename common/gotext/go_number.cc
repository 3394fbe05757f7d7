#include "common/gotext/go_number.h"

#include <charconv>
#include <system_error>

namespace kubelet_cm {
namespace {

template <typename Number>
std::optional<Number> ParseWhole(std::string_view text) {
  Number value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<int64_t> ParseGoInt(std::string_view text) {
  if (!text.empty() && text[0] == '+') {
    text.remove_prefix(1);
    if (!text.empty() && text[0] == '-') return std::nullopt;
  }
  return ParseWhole<int64_t>(text);
}

std::optional<uint64_t> ParseGoUint(std::string_view text) { return ParseWhole<uint64_t>(text); }

}  // namespace kubelet_cm
