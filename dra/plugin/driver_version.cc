#include "dra/plugin/driver_version.h"

#include <algorithm>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "dra/plugin/shown_text.h"

namespace kubelet_cm::dra {
namespace {

constexpr std::string_view kSpace = "\t\n\f\r ";
constexpr uint64_t kHighestMajor = 1;

bool IsDigit(char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); }

// How long the digits are at the start of `text`.
size_t Digits(std::string_view text) {
  return static_cast<size_t>(std::find_if_not(text.begin(), text.end(), IsDigit) - text.begin());
}

// "1.2.3" of " v1.2.3-alpha"; nothing when it is no version at all.
std::optional<std::string_view> Numbers(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  if (text.starts_with('v')) text.remove_prefix(1);
  size_t end = Digits(text);
  if (end == 0) return std::nullopt;
  while (end < text.size() && text[end] == '.' && Digits(text.substr(end + 1)) > 0) {
    end += 1 + Digits(text.substr(end + 1));
  }
  if (text.find('\n', end) != std::string_view::npos) return std::nullopt;
  return text.substr(0, end);
}

absl::Status Illegal(std::string_view what, std::string_view component, std::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat("illegal ", std::string(what), " version component ",
                                                 ShownQuoted(component), " in ", ShownQuoted(text)));
}

absl::Status TooLarge(std::string_view component, std::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat(std::string(Illegal("non-numeric", component, text).message()),
                                                 ": strconv.ParseUint: parsing ", ShownQuoted(component),
                                                 ": value out of range"));
}

}  // namespace

absl::StatusOr<DriverVersion> DriverVersion::Parse(std::string_view text) {
  const std::optional<std::string_view> found = Numbers(text);
  if (!found.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat("could not parse ", ShownQuoted(text), " as version"));
  }
  const std::vector<std::string> components = absl::StrSplit(std::string(*found), '.');
  if (components.size() < 2)
    return absl::InvalidArgumentError(absl::StrCat("illegal version string ", ShownQuoted(text)));
  const std::string& first = components.front();
  if (first.starts_with('0') && first != "0") return Illegal("zero-prefixed", first, text);
  std::vector<uint64_t> numbers;
  for (const std::string& component : components) {
    uint64_t number = 0;
    if (!absl::SimpleAtoi(component, &number)) return TooLarge(component, text);
    numbers.push_back(number);
  }
  return DriverVersion(std::move(numbers));
}

std::string DriverVersion::ToString() const { return absl::StrJoin(numbers_, "."); }

std::strong_ordering operator<=>(const DriverVersion& a, const DriverVersion& b) {
  const size_t size = std::max(a.numbers_.size(), b.numbers_.size());
  const auto number = [](const DriverVersion& version, size_t i) {
    return i < version.numbers_.size() ? version.numbers_[i] : 0;
  };
  for (size_t i = 0; i < size; ++i) {
    if (const auto order = number(a, i) <=> number(b, i); order != 0) return order;
  }
  return std::strong_ordering::equal;
}

absl::StatusOr<DriverVersion> HighestSupported(absl::Span<const std::string> versions) {
  std::optional<DriverVersion> highest;
  std::string error = "<nil>";  // of the first that cannot be read
  for (auto text = versions.rbegin(); text != versions.rend(); ++text) {
    absl::StatusOr<DriverVersion> version = DriverVersion::Parse(*text);
    if (!version.ok()) {
      error = std::string(version.status().message());
    } else if (version->major() <= kHighestMajor && (!highest.has_value() || *highest < *version)) {
      highest = *std::move(version);
    }
  }
  if (!highest.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat("could not find a highest supported version from versions (",
                                                   ShownList(versions), ") reported by this plugin: ", error));
  }
  if (highest->major() != kHighestMajor) {
    return absl::InvalidArgumentError(
        absl::StrCat("highest supported version reported by plugin is ", highest->ToString(), ", must be v1.x"));
  }
  return *std::move(highest);
}

}  // namespace kubelet_cm::dra
