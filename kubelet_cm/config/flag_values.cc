#include "kubelet_cm/config/flag_values.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/gotext/quote.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/config/go_duration.h"
#include "re2/re2.h"

namespace kubelet_cm::config {
namespace {

constexpr int kMostNumaNode = 63;
constexpr size_t kLongestName = 253;

absl::Status Expected(const std::string& what, const std::string& got) {
  return absl::InvalidArgumentError(absl::StrCat("expected ", what, ", got ", GoQuote(got)));
}

}  // namespace

absl::Status SetNumber(const std::string& text, int least, int* number, int most) {
  int value = 0;
  if (!absl::SimpleAtoi(text, &value) || value < least || value > most) {
    const std::string bounds = most == std::numeric_limits<int>::max() ? absl::StrCat("of at least ", least)
                                                                       : absl::StrCat("from ", least, " to ", most);
    return Expected(absl::StrCat("a whole number ", bounds), text);
  }
  *number = value;
  return absl::OkStatus();
}

absl::Status SetRate(const std::string& text, double* rate) {
  double value = 0;
  if (!absl::SimpleAtod(text, &value) || !std::isfinite(value) || value <= 0) {
    return Expected("a number greater than 0", text);
  }
  *rate = value;
  return absl::OkStatus();
}

absl::Status SetDuration(const std::string& text, absl::Duration* duration) {
  ASSIGN_OR_RETURN(const absl::Duration value, ParseGoDuration(text));
  if (value <= absl::ZeroDuration()) return Expected("a duration greater than 0", text);
  *duration = value;
  return absl::OkStatus();
}

absl::Status SetSwitch(const std::string& text, bool* on) {
  if (text != "true" && text != "false") return Expected("true or false", text);
  *on = text == "true";
  return absl::OkStatus();
}

absl::Status SetNumaNodes(const std::string& text, std::vector<int>* nodes) {
  std::vector<int> ids;
  for (const absl::string_view part : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    int id = 0;
    RETURN_IF_ERROR(SetNumber(std::string(part), 0, &id, kMostNumaNode));
    ids.push_back(id);
  }
  std::sort(ids.begin(), ids.end());
  if (std::adjacent_find(ids.begin(), ids.end()) != ids.end()) return Expected("each node once", text);
  *nodes = std::move(ids);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::pair<std::string, std::string>>> ParsePairs(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const absl::string_view part : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    const size_t equals = part.find('=');
    if (equals == absl::string_view::npos) return Expected("NAME=VALUE", std::string(part));
    pairs.emplace_back(part.substr(0, equals), part.substr(equals + 1));
  }
  return pairs;
}

absl::Status CheckNodeName(const std::string& name) {
  static const RE2 kForm(R"([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)");
  if (name.size() <= kLongestName && RE2::FullMatch(name, kForm)) return absl::OkStatus();
  return Expected("a node's name (lower case letters, digits, '-' and '.')", name);
}

}  // namespace kubelet_cm::config
