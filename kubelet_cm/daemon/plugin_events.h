// PluginEvents: what becomes of the plugins in the watched folder, as events.
#ifndef KUBELET_CM_KUBELET_CM_DAEMON_PLUGIN_EVENTS_H_
#define KUBELET_CM_KUBELET_CM_DAEMON_PLUGIN_EVENTS_H_

#include <string>

#include "common/node/node_events.h"
#include "kubelet_cm/pluginwatcher/plugin_watcher.h"

namespace kubelet_cm {

class PluginEvents : public pluginwatcher::PluginWatcherListener {
 public:
  // Outlives the object.
  explicit PluginEvents(NodeEvents& events) : events_(events) {}

  void OnPluginRegistered(const std::string& path, const pluginwatcher::PluginInfo& plugin) override;
  void OnPluginFailed(const std::string& path, const pluginwatcher::PluginInfo& plugin,
                      const std::string& reason) override;
  void OnPluginUnregistered(const std::string& path, const pluginwatcher::PluginInfo& plugin) override;

 private:
  NodeEvents& events_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_DAEMON_PLUGIN_EVENTS_H_
