// DaemonOptions: every setting of the daemon, with its default, as one plain value. Flags, the KubeletConfiguration
// file and tests fill it; nothing reads a setting from anywhere else.
#ifndef KUBELET_CM_KUBELET_CM_CONFIG_DAEMON_OPTIONS_H_
#define KUBELET_CM_KUBELET_CM_CONFIG_DAEMON_OPTIONS_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "checkpointmanager/checkpoint_recovery.h"
#include "common/features/feature_gates.h"
#include "common/features/known_gates.h"
#include "common/log/line_logger.h"
#include "common/node/topology_policy.h"
#include "common/personality/personality.h"

namespace kubelet_cm::config {

// How what devices and claims say about NUMA nodes decides on a pod.
struct TopologySettings {
  TopologyPolicy policy = TopologyPolicy::kNone;
  TopologyScope scope = TopologyScope::kContainer;
  bool prefer_closest_numa_nodes = false;
  int max_allowable_numa_nodes = kDefaultMaxAllowableNumaNodes;

  friend bool operator==(const TopologySettings&, const TopologySettings&) = default;
};

// Paths are absolute once ReadCommandLine (command_line.h) has filled it.
struct DaemonOptions {
  // State and sockets.
  std::string root_dir = {};
  std::string device_plugin_dir = {};  // its state file and sockets; <root_dir>/device-plugins
  RecoverPolicy recover = RecoverPolicy::kQuarantine;
  const Personality* kubelet = &LatestPersonality();

  // Where pods and claims come from; empty: not from there.
  std::string pod_manifest_path = {};
  std::string claim_manifest_path = {};
  std::string kubeconfig = {};
  std::string node_name = {};

  // What it does.
  FeatureGates features = FeatureGates(KnownGates());
  TopologySettings topology = {};
  std::vector<int> numa_nodes = {};  // ascending; empty: those of the machine
  absl::Duration allocate_timeout = absl::Seconds(60);
  absl::Duration preferred_allocation_timeout = absl::Seconds(30);
  absl::Duration dra_reconcile_interval = absl::Seconds(60);
  bool restrict_plugin_endpoints = false;  // sockets that watched plugins name must lie below root_dir

  // What it serves.
  std::string healthz_address = "127.0.0.1";
  int healthz_port = 10248;  // 0: no HTTP
  double podresources_qps = 100;
  int podresources_burst = 10;

  // What it says.
  int verbosity = 0;
  LogFormat log_format = LogFormat::kText;

  std::string config_file = {};  // the KubeletConfiguration that was read; empty: none
  std::string boot_id_file = "/proc/sys/kernel/random/boot_id";
};

}  // namespace kubelet_cm::config

#endif  // KUBELET_CM_KUBELET_CM_CONFIG_DAEMON_OPTIONS_H_
