#include "kubelet_cm/pluginwatcher/plugin_metrics.h"

namespace kubelet_cm::pluginwatcher {

PluginMetrics::PluginMetrics(MetricsRegistry& metrics)
    : plugins_(metrics.AddGauge({.name = "plugin_manager_total_plugins",
                                 .help = "[ALPHA] Number of plugins in Plugin Manager",
                                 .labels = {"socket_path", "state"}})) {}

PluginMetrics::~PluginMetrics() { Show({}, {}); }

void PluginMetrics::Show(const std::vector<std::string>& desired, const std::vector<std::string>& registered) {
  absl::btree_set<std::pair<std::string, std::string>> now;
  for (const std::string& path : desired) now.emplace(path, "desired_state_of_world");
  for (const std::string& path : registered) now.emplace(path, "actual_state_of_world");
  for (const auto& [path, state] : shown_) {
    if (!now.contains({path, state})) plugins_.Remove({path, state});
  }
  for (const auto& [path, state] : now) {
    if (!shown_.contains({path, state})) plugins_.With({path, state}).Set(1);
  }
  shown_ = std::move(now);
}

}  // namespace kubelet_cm::pluginwatcher
