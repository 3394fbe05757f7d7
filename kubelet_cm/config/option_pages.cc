#include "kubelet_cm/config/option_pages.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include "absl/container/btree_map.h"
#include "absl/strings/str_cat.h"
#include "common/features/known_gates.h"
#include "common/gotext/json_writer.h"
#include "kubelet_cm/config/daemon_flags.h"
#include "kubelet_cm/config/topology_options.h"

namespace kubelet_cm::config {
namespace {

void Write(JsonWriter* json, std::string_view key, std::string_view value) {
  json->Key(key);
  json->String(value);
}

void Write(JsonWriter* json, std::string_view key, int value) {
  json->Key(key);
  json->Int(value);
}

void WriteFeatureGates(JsonWriter* json, const FeatureGates& features) {
  absl::btree_map<std::string_view, bool> gates;
  for (const FeatureGate& gate : KnownGates()) {
    gates[std::string_view(gate.name.data(), gate.name.size())] = features.Enabled(gate.name);
  }
  json->Key("featureGates");
  json->BeginObject();
  for (const auto& [name, on] : gates) {
    json->Key(name);
    json->Bool(on);
  }
  json->EndObject();
}

}  // namespace

std::string ConfigzJson(const DaemonOptions& options) {
  std::string text;
  JsonWriter json(&text);
  json.BeginObject();
  json.Key("kubeletconfig");
  json.BeginObject();
  Write(&json, "apiVersion", "kubelet.config.k8s.io/v1beta1");
  WriteFeatureGates(&json, options.features);
  Write(&json, "healthzBindAddress", options.healthz_address);
  Write(&json, "healthzPort", options.healthz_port);
  Write(&json, "kind", "KubeletConfiguration");
  json.Key("logging");
  json.BeginObject();
  Write(&json, "format", options.log_format == LogFormat::kJson ? "json" : "text");
  Write(&json, "verbosity", options.verbosity);
  json.EndObject();
  if (!options.pod_manifest_path.empty()) Write(&json, "staticPodPath", options.pod_manifest_path);
  Write(&json, "topologyManagerPolicy", TopologyPolicyName(options.topology.policy));
  json.Key("topologyManagerPolicyOptions");
  json.BeginObject();
  for (const auto& [name, value] : TopologyOptionValues(options.topology)) Write(&json, name, value);
  json.EndObject();
  Write(&json, "topologyManagerScope", TopologyScopeName(options.topology.scope));
  json.EndObject();
  json.EndObject();
  text.push_back('\n');
  return text;
}

std::string FlagzText(const DaemonOptions& options) {
  absl::btree_map<std::string, std::string> flags;
  for (const DaemonFlag& flag : DaemonFlags()) flags[std::string(flag.name)] = flag.show(options);
  std::string text =
      "\nkubelet_cm flagz\n"
      "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is "
      "for debugging purposes only.\n";
  for (const auto& [name, value] : flags) absl::StrAppend(&text, name, "=", value, "\n");
  return text;
}

}  // namespace kubelet_cm::config
