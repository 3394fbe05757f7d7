#include "kubelet_cm/config/daemon_flags.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/gotext/quote.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/config/flag_values.h"
#include "kubelet_cm/config/go_duration.h"
#include "kubelet_cm/config/loopback_address.h"
#include "kubelet_cm/config/topology_options.h"

namespace kubelet_cm::config {
namespace {

constexpr char kState[] = "State and sockets";
constexpr char kSources[] = "Where pods and claims come from";
constexpr char kBehaviour[] = "Behaviour";
constexpr char kTopology[] = "Topology";
constexpr char kServing[] = "Serving";
constexpr char kLogging[] = "Logging";

// A flag that is a text of the options, and nothing else.
template <std::string DaemonOptions::*field>
absl::Status SetText(const std::string& value, DaemonOptions* options) {
  options->*field = value;
  return absl::OkStatus();
}
template <std::string DaemonOptions::*field>
std::string ShowText(const DaemonOptions& options) {
  return options.*field;
}

template <absl::Duration DaemonOptions::*field>
absl::Status SetTime(const std::string& value, DaemonOptions* options) {
  return SetDuration(value, &(options->*field));
}
template <absl::Duration DaemonOptions::*field>
std::string ShowTime(const DaemonOptions& options) {
  return GoDurationText(options.*field);
}

absl::Status SetRecover(const std::string& value, DaemonOptions* options) {
  if (value != "quarantine" && value != "strict") {
    return absl::InvalidArgumentError(absl::StrCat("expected quarantine or strict, got ", GoQuote(value)));
  }
  options->recover = value == "strict" ? RecoverPolicy::kStrict : RecoverPolicy::kQuarantine;
  return absl::OkStatus();
}
std::string ShowRecover(const DaemonOptions& options) {
  return options.recover == RecoverPolicy::kStrict ? "strict" : "quarantine";
}

absl::Status SetKubelet(const std::string& value, DaemonOptions* options) {
  ASSIGN_OR_RETURN(options->kubelet, ParsePersonality(value));
  return absl::OkStatus();
}
std::string ShowKubelet(const DaemonOptions& options) { return std::string(options.kubelet->name); }

absl::Status SetNodeName(const std::string& value, DaemonOptions* options) {
  RETURN_IF_ERROR(CheckNodeName(value));
  options->node_name = value;
  return absl::OkStatus();
}

absl::Status SetFeatureGates(const std::string& value, DaemonOptions* options) {
  ASSIGN_OR_RETURN(options->features, options->features.WithFlag(value));
  return absl::OkStatus();
}
std::string ShowFeatureGates(const DaemonOptions& options) { return options.features.SettingsText(); }

absl::Status SetRestrict(const std::string& value, DaemonOptions* options) {
  return SetSwitch(value, &options->restrict_plugin_endpoints);
}
std::string ShowRestrict(const DaemonOptions& options) { return options.restrict_plugin_endpoints ? "true" : "false"; }

absl::Status SetPolicy(const std::string& value, DaemonOptions* options) {
  ASSIGN_OR_RETURN(options->topology.policy, ParseTopologyPolicy(value));
  return absl::OkStatus();
}
std::string ShowPolicy(const DaemonOptions& options) {
  return std::string(TopologyPolicyName(options.topology.policy));
}

absl::Status SetScope(const std::string& value, DaemonOptions* options) {
  ASSIGN_OR_RETURN(options->topology.scope, ParseTopologyScope(value));
  return absl::OkStatus();
}
std::string ShowScope(const DaemonOptions& options) { return std::string(TopologyScopeName(options.topology.scope)); }

absl::Status SetPolicyOptions(const std::string& value, DaemonOptions* options) {
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  ASSIGN_OR_RETURN(const Pairs pairs, ParsePairs(value));
  TopologySettings topology = options->topology;
  for (const auto& [name, option] : pairs) RETURN_IF_ERROR(SetTopologyOption(name, option, &topology));
  options->topology = topology;
  return absl::OkStatus();
}
std::string ShowPolicyOptions(const DaemonOptions& options) {
  return absl::StrJoin(TopologyOptionValues(options.topology), ",", absl::PairFormatter("="));
}

absl::Status SetNodes(const std::string& value, DaemonOptions* options) {
  return SetNumaNodes(value, &options->numa_nodes);
}
std::string ShowNodes(const DaemonOptions& options) { return absl::StrJoin(options.numa_nodes, ","); }

absl::Status SetAddress(const std::string& value, DaemonOptions* options) {
  if (KindOfAddress(value) != AddressKind::kLoopback) {
    return absl::InvalidArgumentError(
        absl::StrCat("expected an IP address of the loopback interface, got ", GoQuote(value)));
  }
  options->healthz_address = value;
  return absl::OkStatus();
}

absl::Status SetPort(const std::string& value, DaemonOptions* options) {
  return SetNumber(value, 0, &options->healthz_port, 65535);
}
std::string ShowPort(const DaemonOptions& options) { return absl::StrCat(options.healthz_port); }

absl::Status SetQps(const std::string& value, DaemonOptions* options) {
  return SetRate(value, &options->podresources_qps);
}
std::string ShowQps(const DaemonOptions& options) { return absl::StrCat(options.podresources_qps); }

absl::Status SetBurst(const std::string& value, DaemonOptions* options) {
  return SetNumber(value, 1, &options->podresources_burst);
}
std::string ShowBurst(const DaemonOptions& options) { return absl::StrCat(options.podresources_burst); }

absl::Status SetVerbosity(const std::string& value, DaemonOptions* options) {
  return SetNumber(value, 0, &options->verbosity);
}
std::string ShowVerbosity(const DaemonOptions& options) { return absl::StrCat(options.verbosity); }

absl::Status SetFormat(const std::string& value, DaemonOptions* options) {
  ASSIGN_OR_RETURN(options->log_format, ParseLogFormat(value));
  return absl::OkStatus();
}
std::string ShowFormat(const DaemonOptions& options) {
  return options.log_format == LogFormat::kJson ? "json" : "text";
}

using Options = DaemonOptions;

const DaemonFlag kFlags[] = {
    {.name = "root-dir",
     .group = kState,
     .value = "FOLDER",
     .meaning = "state and sockets, laid out as in /var/lib/kubelet\n",
     .otherwise = "${XDG_STATE_HOME:-~/.local/state}/kubelet_cm",
     .set = SetText<&Options::root_dir>,
     .show = ShowText<&Options::root_dir>},
    {.name = "device-plugin-dir",
     .group = kState,
     .value = "FOLDER",
     .meaning = "device plugins' sockets and state file",
     .otherwise = "device-plugins in the root folder",
     .set = SetText<&Options::device_plugin_dir>,
     .show = ShowText<&Options::device_plugin_dir>},
    {.name = "recover",
     .group = kState,
     .value = "POLICY",
     .meaning =
         "a state file that cannot be read: quarantine sets it aside and starts\nwithout, strict refuses to start",
     .set = SetRecover,
     .show = ShowRecover},
    {.name = "emulate-kubelet",
     .group = kState,
     .value = "VERSION",
     .meaning = "read and write state files, and speak to plugins, as that kubelet: 1.20.15",
     .set = SetKubelet,
     .show = ShowKubelet},
    {.name = "boot-id-file",
     .group = kState,
     .value = "FILE",
     .meaning = "another text after every boot of the machine",
     .set = SetText<&Options::boot_id_file>,
     .show = ShowText<&Options::boot_id_file>},

    {.name = "pod-manifest-path",
     .group = kSources,
     .value = "FOLDER",
     .meaning = "manifests of static pods, watched",
     .set = SetText<&Options::pod_manifest_path>,
     .show = ShowText<&Options::pod_manifest_path>},
    {.name = "claim-manifest-path",
     .group = kSources,
     .value = "FOLDER",
     .meaning = "manifests of ResourceClaims, watched",
     .set = SetText<&Options::claim_manifest_path>,
     .show = ShowText<&Options::claim_manifest_path>},
    {.name = "kubeconfig",
     .group = kSources,
     .value = "FILE",
     .meaning = "how to reach an API server: for claims and ResourceSlices",
     .set = SetText<&Options::kubeconfig>,
     .show = ShowText<&Options::kubeconfig>},
    {.name = "node-name",
     .also = "--hostname-override",
     .group = kSources,
     .value = "NAME",
     .meaning = "this node's name there",
     .otherwise = "the host's name",
     .set = SetNodeName,
     .show = ShowText<&Options::node_name>},

    {.name = "config",
     .group = kBehaviour,
     .value = "FILE",
     .meaning =
         "a KubeletConfiguration (kubelet.config.k8s.io/v1beta1), as a node's kubelet\nhas one; flags win over it",
     .set = SetText<&Options::config_file>,
     .show = ShowText<&Options::config_file>},
    {.name = "feature-gates",
     .group = kBehaviour,
     .value = "NAME=true|false,...",
     .meaning = "",
     .adds_up = true,
     .set = SetFeatureGates,
     .show = ShowFeatureGates},
    {.name = "allocate-timeout",
     .group = kBehaviour,
     .value = "DURATION",
     .meaning = "how long a device plugin may take over Allocate",
     .set = SetTime<&Options::allocate_timeout>,
     .show = ShowTime<&Options::allocate_timeout>},
    {.name = "preferred-allocation-timeout",
     .group = kBehaviour,
     .value = "DURATION",
     .meaning = "the same for GetPreferredAllocation",
     .set = SetTime<&Options::preferred_allocation_timeout>,
     .show = ShowTime<&Options::preferred_allocation_timeout>},
    {.name = "dra-reconcile-interval",
     .group = kBehaviour,
     .value = "DURATION",
     .meaning = "how often claims of pods that are gone are looked for",
     .set = SetTime<&Options::dra_reconcile_interval>,
     .show = ShowTime<&Options::dra_reconcile_interval>},
    {.name = "restrict-plugin-endpoints",
     .group = kBehaviour,
     .meaning = "plugins that are watched for may have their sockets in the root folder only",
     .set = SetRestrict,
     .show = ShowRestrict},

    {.name = "topology-manager-policy",
     .group = kTopology,
     .value = "POLICY",
     .meaning = "none, best-effort, restricted or single-numa-node",
     .set = SetPolicy,
     .show = ShowPolicy},
    {.name = "topology-manager-scope",
     .group = kTopology,
     .value = "SCOPE",
     .meaning = "container or pod",
     .set = SetScope,
     .show = ShowScope},
    {.name = "topology-manager-policy-options",
     .group = kTopology,
     .value = "NAME=VALUE,...",
     .meaning = "prefer-closest-numa-nodes=true|false, max-allowable-numa-nodes=NUMBER",
     .adds_up = true,
     .set = SetPolicyOptions,
     .show = ShowPolicyOptions},
    {.name = "numa-nodes",
     .group = kTopology,
     .value = "ID,...",
     .meaning = "the machine's NUMA nodes, for tests",
     .otherwise = "those that the system has",
     .set = SetNodes,
     .show = ShowNodes},

    {.name = "healthz-port",
     .group = kServing,
     .value = "PORT",
     .meaning = "HTTP for /healthz, /readyz, /metrics, /configz, /statusz, /flagz; 0: none",
     .set = SetPort,
     .show = ShowPort},
    {.name = "healthz-bind-address",
     .group = kServing,
     .value = "IP",
     .meaning = "where; of the loopback interface only",
     .set = SetAddress,
     .show = ShowText<&Options::healthz_address>},
    {.name = "podresources-qps",
     .group = kServing,
     .value = "NUMBER",
     .meaning = "requests a second that the PodResources socket answers",
     .set = SetQps,
     .show = ShowQps},
    {.name = "podresources-burst",
     .group = kServing,
     .value = "NUMBER",
     .meaning = "how many of them at once",
     .set = SetBurst,
     .show = ShowBurst},

    {.name = "v",
     .also = "-v",
     .group = kLogging,
     .value = "LEVEL",
     .meaning = "how much is logged",
     .set = SetVerbosity,
     .show = ShowVerbosity},
    {.name = "logging-format",
     .group = kLogging,
     .value = "FORMAT",
     .meaning = "text or json",
     .set = SetFormat,
     .show = ShowFormat},
};

}  // namespace

absl::Span<const DaemonFlag> DaemonFlags() { return kFlags; }

}  // namespace kubelet_cm::config
