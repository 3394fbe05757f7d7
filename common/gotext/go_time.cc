#include "common/gotext/go_time.h"

#include <cstdint>

#include "absl/strings/str_format.h"
#include "absl/time/civil_time.h"

namespace kubelet_cm {
namespace {

constexpr int kDecimals = 9;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Takes a text apart from the front; once something is missing, all the rest is.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool good() const { return good_; }
  bool AtEnd() const { return text_.empty(); }
  bool Next(char wanted) const { return !text_.empty() && text_.front() == wanted; }

  void Literal(char wanted) {
    good_ = good_ && Next(wanted);
    if (good_) text_.remove_prefix(1);
  }

  // Exactly so many digits, up to `max`.
  int Number(size_t digits, int max) {
    int number = 0;
    for (size_t i = 0; i < digits; ++i) {
      good_ = good_ && !text_.empty() && IsDigit(text_.front());
      if (!good_) return 0;
      number = 10 * number + (text_.front() - '0');
      text_.remove_prefix(1);
    }
    good_ = good_ && number <= max;
    return number;
  }

  // One digit or more behind a point, in billionths.
  int64_t Fraction() {
    int64_t nanoseconds = 0;
    int digits = 0;
    for (; !text_.empty() && IsDigit(text_.front()); ++digits, text_.remove_prefix(1)) {
      if (digits < kDecimals) nanoseconds = 10 * nanoseconds + (text_.front() - '0');
    }
    good_ = good_ && digits > 0;
    for (; digits < kDecimals; ++digits) nanoseconds *= 10;
    return nanoseconds;
  }

 private:
  std::string_view text_;
  bool good_ = true;
};

absl::CivilSecond ScanCivil(Scanner& scanner, bool* exists) {
  const int year = scanner.Number(4, 9999);
  scanner.Literal('-');
  const int month = scanner.Number(2, 12);
  scanner.Literal('-');
  const int day = scanner.Number(2, 31);
  scanner.Literal('T');
  const int hour = scanner.Number(2, 23);
  scanner.Literal(':');
  const int minute = scanner.Number(2, 59);
  scanner.Literal(':');
  const int second = scanner.Number(2, 59);
  const absl::CivilSecond civil(year, month, day, hour, minute, second);
  *exists = civil.month() == month && civil.day() == day;  // else they were carried over
  return civil;
}

absl::Duration ScanZone(Scanner& scanner) {
  if (scanner.Next('Z')) {
    scanner.Literal('Z');
    return absl::ZeroDuration();
  }
  const bool west = scanner.Next('-');
  scanner.Literal(west ? '-' : '+');
  const absl::Duration hours = absl::Hours(scanner.Number(2, 23));
  scanner.Literal(':');
  const absl::Duration offset = hours + absl::Minutes(scanner.Number(2, 59));
  return west ? -offset : offset;
}

}  // namespace

std::optional<absl::Time> ParseGoTime(std::string_view text) {
  Scanner scanner(text);
  bool exists = false;
  const absl::CivilSecond civil = ScanCivil(scanner, &exists);
  int64_t nanoseconds = 0;
  if (scanner.Next('.')) {
    scanner.Literal('.');
    nanoseconds = scanner.Fraction();
  }
  const absl::Duration zone = ScanZone(scanner);
  if (!scanner.good() || !scanner.AtEnd() || !exists) return std::nullopt;
  return absl::FromCivil(civil, absl::UTCTimeZone()) + absl::Nanoseconds(nanoseconds) - zone;
}

std::string FormatGoTime(absl::Time time) {
  const absl::TimeZone::CivilInfo info = absl::UTCTimeZone().At(time);
  std::string text =
      absl::StrFormat("%04d-%02d-%02dT%02d:%02d:%02d.%09d", info.cs.year(), info.cs.month(), info.cs.day(),
                      info.cs.hour(), info.cs.minute(), info.cs.second(), absl::ToInt64Nanoseconds(info.subsecond));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + "Z";
}

}  // namespace kubelet_cm
