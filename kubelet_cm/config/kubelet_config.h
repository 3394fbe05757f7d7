// A KubeletConfiguration (kubelet.config.k8s.io/v1beta1), the file of a real node's kubelet, as far as this project
// does what it says.
//
// Pure value code; the file is read by command_line.h.
#ifndef KUBELET_CM_KUBELET_CM_CONFIG_KUBELET_CONFIG_H_
#define KUBELET_CM_KUBELET_CM_CONFIG_KUBELET_CONFIG_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "common/features/feature_gates.h"
#include "common/log/line_logger.h"
#include "common/log/logger.h"
#include "common/node/topology_policy.h"
#include "kubelet_cm/config/daemon_options.h"

namespace kubelet_cm::config {

// What in a file has no effect here, for one log line. Sorted.
struct ConfigLeftovers {
  // Fields that the kubelet has and that are none of the device stack's: "podPidsLimit". Also what is not allowed here:
  // "healthzBindAddress" with an address that others can reach.
  std::vector<std::string> not_honoured = {};
  // What the kind does not have: a slip of the pen, or of a newer kubelet.
  std::vector<std::string> unknown = {};
  // Gates of other parts of the kubelet.
  std::vector<std::string> other_feature_gates = {};

  friend bool operator==(const ConfigLeftovers&, const ConfigLeftovers&) = default;
};

struct KubeletConfig {
  // Not there: the file says nothing of it.
  FeatureGates::Settings feature_gates = {};
  std::optional<TopologyPolicy> topology_policy = {};
  std::optional<TopologyScope> topology_scope = {};
  std::optional<TopologySettings> topology_options = {};  // those of the policy options
  std::optional<std::string> static_pod_path = {};
  std::optional<std::string> healthz_address = {};
  std::optional<int> healthz_port = {};
  std::optional<LogFormat> log_format = {};
  std::optional<int> verbosity = {};

  ConfigLeftovers leftovers = {};
};

// `text` is YAML or JSON. kInvalidArgument, a line each with line and column, for what is neither, for another kind,
// and for values that are not of their field's type or not what it takes.
absl::StatusOr<KubeletConfig> ParseKubeletConfig(std::string_view text);

// Sets what the file says. Paths in it are relative to `folder`, the file's.
void ApplyKubeletConfig(const KubeletConfig& config, const std::string& folder, DaemonOptions* options);

// One line, if there is anything to tell.
void LogLeftovers(Logger& log, const std::string& file, const ConfigLeftovers& leftovers);

}  // namespace kubelet_cm::config

#endif  // KUBELET_CM_KUBELET_CM_CONFIG_KUBELET_CONFIG_H_
