// PluginMetrics: the gauge plugin_manager_total_plugins: 1 for each socket, by what there should be (the sockets in the
// folder) and what is registered. Series go with their sockets.
#ifndef KUBELET_CM_KUBELET_CM_PLUGINWATCHER_PLUGIN_METRICS_H_
#define KUBELET_CM_KUBELET_CM_PLUGINWATCHER_PLUGIN_METRICS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "common/metrics/registry.h"

namespace kubelet_cm::pluginwatcher {

// Used by one thread.
class PluginMetrics {
 public:
  explicit PluginMetrics(MetricsRegistry& metrics);
  // Takes its series away.
  ~PluginMetrics();
  PluginMetrics(const PluginMetrics&) = delete;
  PluginMetrics& operator=(const PluginMetrics&) = delete;

  void Show(const std::vector<std::string>& desired, const std::vector<std::string>& registered);

 private:
  GaugeFamily plugins_;
  absl::btree_set<std::pair<std::string, std::string>> shown_;  // path and state
};

}  // namespace kubelet_cm::pluginwatcher

#endif  // KUBELET_CM_KUBELET_CM_PLUGINWATCHER_PLUGIN_METRICS_H_
