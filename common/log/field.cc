#include "common/log/field.h"

#include <charconv>
#include <cmath>
#include <optional>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/gotext/json_string.h"
#include "common/gotext/quote.h"

namespace kubelet_cm {
namespace {

// The bare text of the values that both formats show as a string; nothing for the others.
std::optional<std::string> AsString(const LogValue& value) {
  if (const auto* text = std::get_if<std::string_view>(&value.variant())) return std::string(*text);
  if (const auto* error = std::get_if<const absl::Status*>(&value.variant())) return std::string((*error)->message());
  if (const auto* duration = std::get_if<absl::Duration>(&value.variant())) return absl::FormatDuration(*duration);
  return std::nullopt;
}

// The shortest digits that read back as the same number. JSON has no name for what is not finite: that is a string.
void AppendDouble(double value, std::string& out) {
  if (!std::isfinite(value)) {
    absl::StrAppend(&out, "\"", value > 0 ? "+Inf" : value < 0 ? "-Inf" : "NaN", "\"");
    return;
  }
  char digits[32];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof(digits), value);
  out.append(digits, end.ptr);
}

void AppendJsonList(absl::Span<const std::string> list, std::string& out) {
  out += '[';
  for (const std::string& item : list) {
    if (&item != &list.front()) out += ',';
    AppendJsonString(item, ControlEscapes::kNumeric, &out);
  }
  out += ']';
}

// One line a row, each behind a tab, between "<" and ">".
void AppendMultiline(absl::string_view text, std::string& out) {
  out += "=<\n";
  for (absl::string_view row : absl::StrSplit(absl::StripSuffix(text, "\n"), '\n')) {
    absl::StrAppend(&out, "\t", row, "\n");
  }
  out += " >";
}

// What AsString has nothing for.
struct JsonAppender {
  std::string& out;

  void operator()(bool value) const { out += value ? "true" : "false"; }
  void operator()(int64_t value) const { absl::StrAppend(&out, value); }
  void operator()(uint64_t value) const { absl::StrAppend(&out, value); }
  void operator()(double value) const { AppendDouble(value, out); }
  void operator()(absl::Span<const std::string> value) const { AppendJsonList(value, out); }
  void operator()(absl::Span<const int> value) const { absl::StrAppend(&out, "[", absl::StrJoin(value, ","), "]"); }
  template <typename StringLike>
  void operator()(const StringLike&) const {}
};

}  // namespace

void AppendJsonValue(const LogValue& value, std::string& out) {
  const std::optional<std::string> text = AsString(value);
  if (text.has_value()) {
    AppendJsonString(*text, ControlEscapes::kNumeric, &out);
  } else {
    std::visit(JsonAppender{out}, value.variant());
  }
}

void AppendTextValue(const LogValue& value, std::string& out) {
  const std::optional<std::string> text = AsString(value);
  if (!text.has_value()) {
    out += '=';
    AppendJsonValue(value, out);
  } else if (absl::StrContains(*text, '\n')) {
    AppendMultiline(*text, out);
  } else {
    absl::StrAppend(&out, "=", GoQuote(*text));
  }
}

}  // namespace kubelet_cm
