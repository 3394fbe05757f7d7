// LogField: one key and value of a log line.
//
// A value only refers to what it was made from: it is cheap to make for a line that is not written, and good for the
// statement that made it, no longer.
#ifndef KUBELET_CM_COMMON_LOG_FIELD_H_
#define KUBELET_CM_COMMON_LOG_FIELD_H_

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"

namespace kubelet_cm {

class LogValue {
 public:
  // An error shows as its message, as errors of Go do; a duration as "1m30s".
  using Variant = std::variant<bool, int64_t, uint64_t, double, std::string_view, absl::Duration,
                               absl::Span<const std::string>, absl::Span<const int>, const absl::Status*>;

  // NOLINTBEGIN(google-explicit-constructor): a line reads {{"plugin", name}, {"devices", 3}}.
  template <std::same_as<bool> T>  // a template, so that no pointer becomes a truth value
  LogValue(T value) : value_(value) {}
  template <std::signed_integral T>
  LogValue(T value) : value_(static_cast<int64_t>(value)) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) LogValue(T value) : value_(static_cast<uint64_t>(value)) {}
  LogValue(double value) : value_(value) {}
  LogValue(const char* value) : value_(std::string_view(value)) {}
  LogValue(const std::string& value) : value_(std::string_view(value)) {}
  LogValue(std::string_view value) : value_(value) {}
  LogValue(absl::string_view value) : value_(std::string_view(value.data(), value.size())) {}
  LogValue(absl::Duration value) : value_(value) {}
  LogValue(absl::Span<const std::string> value) : value_(value) {}
  LogValue(const std::vector<std::string>& value) : value_(absl::MakeConstSpan(value)) {}
  LogValue(const std::vector<int>& value) : value_(absl::MakeConstSpan(value)) {}
  LogValue(const absl::Status& value) : value_(&value) {}
  // NOLINTEND(google-explicit-constructor)

  const Variant& variant() const { return value_; }

 private:
  Variant value_;
};

struct LogField {
  std::string_view key;
  LogValue value;
};

// The value as klog's text format shows it: strings quoted as Go quotes them (over several lines, and then unquoted,
// when they have several), everything else as JSON. Begins with the "=" that follows the key.
void AppendTextValue(const LogValue& value, std::string& out);

// The value as JSON.
void AppendJsonValue(const LogValue& value, std::string& out);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_LOG_FIELD_H_
