#include "kubelet_cm/config/topology_options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "common/gotext/quote.h"

namespace kubelet_cm::config {
namespace {

constexpr char kPreferClosest[] = "prefer-closest-numa-nodes";
constexpr char kMaxNodes[] = "max-allowable-numa-nodes";

bool IsOneOf(std::string_view text, const std::array<std::string_view, 6>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

absl::Status SetPreferClosest(std::string_view value, TopologySettings* settings) {
  const bool on = IsOneOf(value, {"1", "t", "T", "true", "TRUE", "True"});
  if (!on && !IsOneOf(value, {"0", "f", "F", "false", "FALSE", "False"})) {
    return absl::InvalidArgumentError(absl::StrCat("bad value for option ", GoQuote(kPreferClosest),
                                                   ": strconv.ParseBool: parsing ", GoQuote(value),
                                                   ": invalid syntax"));
  }
  settings->prefer_closest_numa_nodes = on;
  return absl::OkStatus();
}

absl::Status SetMaxNodes(std::string_view value, TopologySettings* settings) {
  int most = 0;
  std::string_view digits = value;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), most);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return absl::InvalidArgumentError(absl::StrCat("unable to convert policy option to integer ", GoQuote(kMaxNodes),
                                                   ": strconv.Atoi: parsing ", GoQuote(value), ": invalid syntax"));
  }
  if (most < kDefaultMaxAllowableNumaNodes) {
    return absl::InvalidArgumentError(absl::StrCat("the minimum value of ", GoQuote(kMaxNodes),
                                                   " should not be less than ", kDefaultMaxAllowableNumaNodes));
  }
  settings->max_allowable_numa_nodes = most;
  return absl::OkStatus();
}

}  // namespace

absl::Status SetTopologyOption(const std::string& name, std::string_view value, TopologySettings* settings) {
  if (name == kPreferClosest) return SetPreferClosest(value, settings);
  if (name == kMaxNodes) return SetMaxNodes(value, settings);
  return absl::InvalidArgumentError(absl::StrCat("unknown Topology Manager Policy option: ", GoQuote(name)));
}

absl::btree_map<std::string, std::string> TopologyOptionValues(const TopologySettings& settings) {
  absl::btree_map<std::string, std::string> values;
  if (settings.prefer_closest_numa_nodes) values[kPreferClosest] = "true";
  if (settings.max_allowable_numa_nodes != kDefaultMaxAllowableNumaNodes) {
    values[kMaxNodes] = absl::StrCat(settings.max_allowable_numa_nodes);
  }
  return values;
}

}  // namespace kubelet_cm::config
