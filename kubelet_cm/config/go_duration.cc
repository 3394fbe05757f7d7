#include "kubelet_cm/config/go_duration.h"

#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/gotext/quote.h"
#include "re2/re2.h"

namespace kubelet_cm::config {

absl::StatusOr<absl::Duration> ParseGoDuration(std::string_view text) {
  static const RE2 kForm(R"([-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+))");
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  absl::Duration duration;
  if (!RE2::FullMatch(re2::StringPiece(text.data(), text.size()), kForm) ||
      !absl::ParseDuration(absl::StrReplaceAll(absl::string_view(text.data(), text.size()), {{"µ", "u"}, {"μ", "u"}}),
                           &duration) ||
      absl::AbsDuration(duration) > absl::Nanoseconds(kMost)) {
    return absl::InvalidArgumentError(absl::StrCat("time: invalid duration ", GoQuote(text)));
  }
  return duration;
}

std::string GoDurationText(absl::Duration duration) {
  if (duration < absl::ZeroDuration()) return absl::StrCat("-", GoDurationText(-duration));
  if (duration < absl::Seconds(1)) {
    return duration == absl::ZeroDuration() ? "0s"
                                            : absl::StrReplaceAll(absl::FormatDuration(duration), {{"us", "µs"}});
  }
  // absl leaves out what is zero; Go does not, once there is a larger unit.
  const int64_t seconds = absl::ToInt64Seconds(duration);
  std::string text;
  if (seconds >= 3600) absl::StrAppend(&text, seconds / 3600, "h");
  if (seconds >= 60) absl::StrAppend(&text, seconds / 60 % 60, "m");
  absl::StrAppend(&text, seconds % 60);
  if (const int64_t rest = absl::ToInt64Nanoseconds(duration - absl::Seconds(seconds)); rest != 0) {
    absl::StrAppend(&text, ".", absl::Dec(rest, absl::kZeroPad9));
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text + "s";
}

}  // namespace kubelet_cm::config
