#include "common/features/feature_gates.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/gotext/quote.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

constexpr absl::string_view kAllAlpha = "AllAlpha";
constexpr absl::string_view kAllBeta = "AllBeta";

absl::string_view Text(bool value) { return value ? "true" : "false"; }

// The words that Go's ParseBool takes.
std::optional<bool> ParseBool(absl::string_view text) {
  for (const absl::string_view word : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (text == word) return true;
  }
  for (const absl::string_view word : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (text == word) return false;
  }
  return std::nullopt;
}

absl::StatusOr<std::pair<std::string, bool>> ParseSetting(absl::string_view setting) {
  const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(setting, absl::MaxSplits('=', 1));
  const absl::string_view name = absl::StripAsciiWhitespace(parts.first);
  if (!absl::StrContains(setting, '=')) {
    return absl::InvalidArgumentError(absl::StrCat("missing bool value for ", name));
  }
  const absl::string_view text = absl::StripAsciiWhitespace(parts.second);
  const std::optional<bool> value = ParseBool(text);
  if (!value.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat("invalid value of ", name, "=", text,
                                                   ", err: strconv.ParseBool: parsing ", GoQuote(std::string(text)),
                                                   ": invalid syntax"));
  }
  return std::pair(std::string(name), *value);
}

// Whether --help lists it: one that is locked or on its way out is not for setting.
bool MayBeSet(const FeatureGate& gate) {
  return gate.stage == FeatureStage::kAlpha || gate.stage == FeatureStage::kBeta;
}

std::string HelpLine(absl::string_view name, FeatureStage stage, bool on_by_default) {
  return absl::StrCat(name, "=true|false (", stage == FeatureStage::kAlpha ? "ALPHA" : "BETA",
                      " - default=", Text(on_by_default), ")");
}

}  // namespace

FeatureGates::FeatureGates(absl::Span<const FeatureGate> known) : known_(known) {}

absl::StatusOr<FeatureGates> FeatureGates::With(const Settings& settings) const {
  FeatureGates changed = *this;
  for (const auto& [name, value] : settings) {
    RETURN_IF_ERROR(Validate(name, value));
    changed.settings_[name] = value;
  }
  return changed;
}

absl::StatusOr<FeatureGates> FeatureGates::WithFlag(absl::string_view flag) const {
  Settings settings;
  for (const absl::string_view setting : absl::StrSplit(flag, ',', absl::SkipEmpty())) {
    using NameAndValue = std::pair<std::string, bool>;
    ASSIGN_OR_RETURN(NameAndValue parsed, ParseSetting(setting));
    settings[parsed.first] = parsed.second;
  }
  return With(settings);
}

bool FeatureGates::Enabled(absl::string_view name) const {
  const FeatureGate* const gate = Find(name);
  CHECK(gate != nullptr) << "feature gate '" << name << "' is not in the table";
  if (const auto set = settings_.find(name); set != settings_.end()) return set->second;
  if (gate->stage == FeatureStage::kAlpha || gate->stage == FeatureStage::kBeta) {
    const auto set = settings_.find(gate->stage == FeatureStage::kAlpha ? kAllAlpha : kAllBeta);
    if (set != settings_.end() && !gate->locked) return set->second;
  }
  return gate->on_by_default;
}

std::vector<std::string> FeatureGates::HelpLines() const {
  std::vector<std::string> lines = {HelpLine(kAllAlpha, FeatureStage::kAlpha, false),
                                    HelpLine(kAllBeta, FeatureStage::kBeta, false)};
  for (const FeatureGate& gate : known_) {
    if (MayBeSet(gate)) lines.push_back(HelpLine(gate.name, gate.stage, gate.on_by_default));
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

std::string FeatureGates::SettingsText() const {
  return absl::StrJoin(settings_, ",", [](std::string* out, const auto& setting) {
    absl::StrAppend(out, setting.first, "=", Text(setting.second));
  });
}

const FeatureGate* FeatureGates::Find(absl::string_view name) const {
  const auto found =
      std::find_if(known_.begin(), known_.end(), [name](const FeatureGate& gate) { return gate.name == name; });
  return found == known_.end() ? nullptr : &*found;
}

absl::Status FeatureGates::Validate(absl::string_view name, bool value) const {
  if (name == kAllAlpha || name == kAllBeta) return absl::OkStatus();
  const FeatureGate* const gate = Find(name);
  if (gate == nullptr) return absl::InvalidArgumentError(absl::StrCat("unrecognized feature gate: ", name));
  if (gate->locked && value != gate->on_by_default) {
    return absl::InvalidArgumentError(absl::StrCat("cannot set feature gate ", name, " to ", Text(value),
                                                   ", feature is locked to ", Text(gate->on_by_default)));
  }
  return absl::OkStatus();
}

}  // namespace kubelet_cm
