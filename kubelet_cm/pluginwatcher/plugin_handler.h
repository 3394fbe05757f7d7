// PluginHandler: who takes the plugins of one type that the watcher has found. The seam between the watcher and the
// managers.
#ifndef KUBELET_CM_KUBELET_CM_PLUGINWATCHER_PLUGIN_HANDLER_H_
#define KUBELET_CM_KUBELET_CM_PLUGINWATCHER_PLUGIN_HANDLER_H_

#include <string>

#include "absl/container/btree_map.h"
#include "absl/status/status.h"
#include "kubelet_cm/pluginwatcher/plugin_info.h"

namespace kubelet_cm::pluginwatcher {

// Thread-safe: plugins are registered at the same time. Per socket, Validate, Register and Deregister come in this
// order; two sockets may announce one plugin.
class PluginHandler {
 public:
  PluginHandler() = default;
  PluginHandler(const PluginHandler&) = delete;
  PluginHandler& operator=(const PluginHandler&) = delete;
  virtual ~PluginHandler() = default;

  // Whether it would be registered. The error is told to the plugin.
  virtual absl::Status Validate(const PluginInfo& plugin) = 0;

  // May block while it connects, with a limit of its own. The error is told to the plugin, and nothing is registered.
  virtual absl::Status Register(const PluginInfo& plugin) = 0;

  // The plugin is gone. One that is not registered is no error.
  virtual void Deregister(const PluginInfo& plugin) = 0;
};

// By the type that PluginInfo has.
using PluginHandlers = absl::btree_map<std::string, PluginHandler*>;

}  // namespace kubelet_cm::pluginwatcher

#endif  // KUBELET_CM_KUBELET_CM_PLUGINWATCHER_PLUGIN_HANDLER_H_
