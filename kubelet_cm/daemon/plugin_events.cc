#include "kubelet_cm/daemon/plugin_events.h"

namespace kubelet_cm {

void PluginEvents::OnPluginRegistered(const std::string& path, const pluginwatcher::PluginInfo& plugin) {
  events_.Record({.kind = event_kind::kPluginRegistered,
                  .subject = plugin.name,
                  .details = {{"type", plugin.type}, {"socket", path}, {"endpoint", plugin.endpoint}}});
}

void PluginEvents::OnPluginFailed(const std::string& path, const pluginwatcher::PluginInfo& plugin,
                                  const std::string& reason) {
  events_.Record({.kind = event_kind::kPluginFailed,
                  .subject = plugin.name.empty() ? path : plugin.name,
                  .message = reason,
                  .details = {{"type", plugin.type}, {"socket", path}}});
}

void PluginEvents::OnPluginUnregistered(const std::string& path, const pluginwatcher::PluginInfo& plugin) {
  events_.Record({.kind = event_kind::kPluginUnregistered,
                  .subject = plugin.name,
                  .details = {{"type", plugin.type}, {"socket", path}}});
}

}  // namespace kubelet_cm
