// FeatureGates: which optional behaviour is on. A value: made once from flags and configuration, then handed to
// whoever asks, by const reference. There is no process-wide one.
//
//   ASSIGN_OR_RETURN(FeatureGates gates,
//   FeatureGates(KnownGates()).WithFlag("AllAlpha=true,DRAExtendedResource=false")); if
//   (gates.Enabled(kResourceHealthStatus)) ...
//
// Settings, special names and error texts are the kubelet's: AllAlpha and AllBeta set every gate of that stage that is
// not set by name. The gates of this product are in known_gates.h.
#ifndef KUBELET_CM_COMMON_FEATURES_FEATURE_GATES_H_
#define KUBELET_CM_COMMON_FEATURES_FEATURE_GATES_H_

#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace kubelet_cm {

enum class FeatureStage { kAlpha, kBeta, kGa, kDeprecated };

struct FeatureGate {
  absl::string_view name;
  FeatureStage stage = FeatureStage::kAlpha;
  bool on_by_default = false;
  bool locked = false;  // it can only be set to its default
};

class FeatureGates {
 public:
  // Values by name, of gates or of AllAlpha and AllBeta.
  using Settings = absl::btree_map<std::string, bool>;

  // All at their defaults. `known` outlives this: a table in static storage.
  explicit FeatureGates(absl::Span<const FeatureGate> known);

  // These gates with `settings` on top: what is set here wins over what was set before. INVALID_ARGUMENT for a name
  // that is not known and for a locked gate.
  absl::StatusOr<FeatureGates> With(const Settings& settings) const;
  // As With, of the value of --feature-gates: "A=true,B=false". The last value of a name counts. Also INVALID_ARGUMENT
  // for what cannot be read.
  absl::StatusOr<FeatureGates> WithFlag(absl::string_view flag) const;

  // `name` is of a known gate; anything else is a bug.
  bool Enabled(absl::string_view name) const;

  // One line per gate that may be set, sorted, for --help: "Name=true|false (BETA - default=true)".
  std::vector<std::string> HelpLines() const;
  // What was set, by name, for logs: "A=true,B=false".
  std::string SettingsText() const;

 private:
  const FeatureGate* Find(absl::string_view name) const;
  absl::Status Validate(absl::string_view name, bool value) const;

  absl::Span<const FeatureGate> known_;
  Settings settings_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FEATURES_FEATURE_GATES_H_
