#include "kubelet_cm/config/kubelet_config.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/features/known_gates.h"
#include "common/filesystem/path.h"
#include "common/gotext/quote.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/config/config_check.h"
#include "kubelet_cm/config/config_tree.h"
#include "kubelet_cm/config/loopback_address.h"
#include "kubelet_cm/config/topology_options.h"

namespace kubelet_cm::config {
namespace {

constexpr char kApiVersion[] = "kubelet.config.k8s.io/v1beta1";
constexpr char kKind[] = "KubeletConfiguration";

// Null: not there, or null.
const ConfigNode* Get(const ConfigNode& map, std::string_view key) {
  for (const auto& [name, value] : map.entries) {
    if (name == key) return value.is_null() ? nullptr : &value;
  }
  return nullptr;
}

// Reads what is honoured out of a tree whose types were checked: a wrong one has been told of, and is skipped.
class ConfigReader {
 public:
  ConfigReader(const ConfigNode& root, ConfigProblems* problems, KubeletConfig* config)
      : root_(root), problems_(*problems), config_(*config) {}

  void ReadAll() {
    ReadKind();
    ReadFeatureGates();
    ReadTopology();
    ReadHealthz();
    ReadLogging();
    // As with the kubelet's defaults, empty is as good as not there.
    if (const auto [node, path] = String(root_, "staticPodPath"); node != nullptr) {
      if (path.find('\0') != std::string::npos) problems_.Add(node->at, "staticPodPath", "no path has a NUL in it");
      config_.static_pod_path = path;
    }
  }

 private:
  // The node and its text; null for one that is not there, is empty or is no string.
  static std::pair<const ConfigNode*, std::string> String(const ConfigNode& map, std::string_view key) {
    const ConfigNode* const node = Get(map, key);
    if (node == nullptr || node->string() == nullptr || node->string()->empty()) return {nullptr, ""};
    return {node, *node->string()};
  }

  void ReadKind() {
    for (const auto& [key, wanted] : {std::pair("apiVersion", kApiVersion), std::pair("kind", kKind)}) {
      const ConfigNode* const node = Get(root_, key);
      if (node == nullptr) {
        problems_.Add(root_.at, key, absl::StrCat("missing; this takes ", wanted));
      } else if (node->string() != nullptr && *node->string() != wanted) {
        problems_.Add(node->at, key, absl::StrCat("expected ", wanted, ", got ", GoQuote(node->text)));
      }
    }
  }

  void ReadFeatureGates() {
    const ConfigNode* const gates = Get(root_, "featureGates");
    if (gates == nullptr) return;
    const FeatureGates known{KnownGates()};
    for (const auto& [key, value] : gates->entries) {
      if (value.type != JsonType::kBool) continue;
      const bool on = value.text == "true";
      const absl::Status fits = known.With({{key, on}}).status();
      if (fits.ok()) {
        config_.feature_gates[key] = on;
      } else if (known.With({{key, !on}}).ok()) {
        problems_.Add(value.at, absl::StrCat("featureGates[", GoQuote(key), "]"), Text(fits));
      } else {
        config_.leftovers.other_feature_gates.push_back(key);
      }
    }
  }

  void ReadTopology() {
    if (const auto [node, text] = String(root_, "topologyManagerPolicy"); node != nullptr) {
      const auto policy = ParseTopologyPolicy(text);
      if (policy.ok()) config_.topology_policy = *policy;
      Report(policy.status(), *node, "topologyManagerPolicy");
    }
    if (const auto [node, text] = String(root_, "topologyManagerScope"); node != nullptr) {
      const auto scope = ParseTopologyScope(text);
      if (scope.ok()) config_.topology_scope = *scope;
      Report(scope.status(), *node, "topologyManagerScope");
    }
    const ConfigNode* const options = Get(root_, "topologyManagerPolicyOptions");
    if (options == nullptr) return;
    TopologySettings settings;
    for (const auto& [key, value] : options->entries) {
      if (value.string() == nullptr) continue;
      Report(SetTopologyOption(key, *value.string(), &settings), value, "topologyManagerPolicyOptions");
    }
    config_.topology_options = settings;
  }

  void ReadHealthz() {
    const ConfigNode* const port = Get(root_, "healthzPort");
    if (int64_t number = 0; port != nullptr && WholeNumber(*port, &number)) {
      if (number < 0 || number > 65535) {
        problems_.Add(port->at, "healthzPort",
                      absl::StrCat("expected a port from 1 to 65535, or 0 for none, got ", number));
      } else {
        config_.healthz_port = static_cast<int>(number);
      }
    }
    const auto [node, address] = String(root_, "healthzBindAddress");
    if (node == nullptr) return;
    switch (KindOfAddress(address)) {
      case AddressKind::kNone:
        return problems_.Add(node->at, "healthzBindAddress", absl::StrCat("no IP address: ", GoQuote(address)));
      case AddressKind::kOther:
        config_.leftovers.not_honoured.emplace_back("healthzBindAddress");
        return;
      case AddressKind::kLoopback:
        config_.healthz_address = address;
    }
  }

  void ReadLogging() {
    const ConfigNode* const logging = Get(root_, "logging");
    if (logging == nullptr) return;
    if (const auto [node, text] = String(*logging, "format"); node != nullptr) {
      const auto format = ParseLogFormat(text);
      if (format.ok()) config_.log_format = *format;
      Report(format.status(), *node, "logging.format");
    }
    const ConfigNode* const verbosity = Get(*logging, "verbosity");
    if (int64_t number = 0; verbosity != nullptr && WholeNumber(*verbosity, &number) && number >= 0) {
      if (number > std::numeric_limits<int32_t>::max()) {
        problems_.Add(verbosity->at, "logging.verbosity", "Must be <= 2147483647");
      } else {
        config_.verbosity = static_cast<int>(number);
      }
    }
  }

  static std::string Text(const absl::Status& status) { return std::string(status.message()); }

  void Report(const absl::Status& status, const ConfigNode& node, std::string_view path) {
    if (!status.ok()) problems_.Add(node.at, path, Text(status));
  }

  const ConfigNode& root_;
  ConfigProblems& problems_;
  KubeletConfig& config_;
};

}  // namespace

absl::StatusOr<KubeletConfig> ParseKubeletConfig(std::string_view text) {
  ASSIGN_OR_RETURN(const ConfigNode root, ParseConfigTree(text));
  if (root.is_null()) return absl::InvalidArgumentError("empty");
  if (root.type != JsonType::kObject) {
    return ErrorAtPlace(root.at, absl::StrCat("expected a ", kKind, ", got ", WhatItIs(root)));
  }
  KubeletConfig config;
  ConfigProblems problems;
  const ConfigFindings findings = CheckKubeletConfig(root, &problems);
  config.leftovers.not_honoured.assign(findings.not_honoured.begin(), findings.not_honoured.end());
  config.leftovers.unknown.assign(findings.unknown.begin(), findings.unknown.end());
  ConfigReader(root, &problems, &config).ReadAll();
  RETURN_IF_ERROR(problems.ToStatus());
  std::sort(config.leftovers.not_honoured.begin(), config.leftovers.not_honoured.end());
  std::sort(config.leftovers.other_feature_gates.begin(), config.leftovers.other_feature_gates.end());
  return config;
}

void ApplyKubeletConfig(const KubeletConfig& config, const std::string& folder, DaemonOptions* options) {
  auto features = options->features.With(config.feature_gates);
  CHECK(features.ok()) << features.status();  // each was tried when the file was read
  options->features = *std::move(features);
  TopologySettings& topology = options->topology;
  if (config.topology_options.has_value()) {
    topology.prefer_closest_numa_nodes = config.topology_options->prefer_closest_numa_nodes;
    topology.max_allowable_numa_nodes = config.topology_options->max_allowable_numa_nodes;
  }
  topology.policy = config.topology_policy.value_or(topology.policy);
  topology.scope = config.topology_scope.value_or(topology.scope);
  if (config.static_pod_path.has_value()) {
    const std::string& path = *config.static_pod_path;
    options->pod_manifest_path = path.starts_with('/') ? path : JoinPath(folder, path);
  }
  options->healthz_address = config.healthz_address.value_or(options->healthz_address);
  options->healthz_port = config.healthz_port.value_or(options->healthz_port);
  options->log_format = config.log_format.value_or(options->log_format);
  options->verbosity = config.verbosity.value_or(options->verbosity);
}

void LogLeftovers(Logger& log, const std::string& file, const ConfigLeftovers& leftovers) {
  if (leftovers == ConfigLeftovers()) return;
  log.Info("Settings of the KubeletConfiguration have no effect here",
           {{"path", file},
            {"otherFields", leftovers.not_honoured},
            {"otherFeatureGates", leftovers.other_feature_gates},
            {"unknownFields", leftovers.unknown}});
}

}  // namespace kubelet_cm::config
