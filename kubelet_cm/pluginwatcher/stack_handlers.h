// The PluginHandlers of the managers: what the watcher finds is theirs.
#ifndef KUBELET_CM_KUBELET_CM_PLUGINWATCHER_STACK_HANDLERS_H_
#define KUBELET_CM_KUBELET_CM_PLUGINWATCHER_STACK_HANDLERS_H_

#include "absl/status/status.h"
#include "deviceplugin/registration/watcher_handler.h"
#include "dra/plugin/watcher_handler.h"
#include "kubelet_cm/pluginwatcher/plugin_handler.h"

namespace kubelet_cm::pluginwatcher {

// Of the type deviceplugin::WatcherHandler::kType.
class DevicePluginHandler : public PluginHandler {
 public:
  // `handler` outlives this.
  explicit DevicePluginHandler(deviceplugin::WatcherHandler& handler) : handler_(handler) {}

  absl::Status Validate(const PluginInfo& plugin) override {
    return handler_.ValidatePlugin(plugin.name, plugin.endpoint, plugin.versions);
  }
  absl::Status Register(const PluginInfo& plugin) override {
    return handler_.RegisterPlugin(plugin.name, plugin.endpoint, plugin.versions);
  }
  void Deregister(const PluginInfo& plugin) override { handler_.DeregisterPlugin(plugin.name, plugin.endpoint); }

 private:
  deviceplugin::WatcherHandler& handler_;
};

// Of the type dra::WatcherHandler::kType.
class DraPluginHandler : public PluginHandler {
 public:
  // `handler` outlives this.
  explicit DraPluginHandler(dra::WatcherHandler& handler) : handler_(handler) {}

  absl::Status Validate(const PluginInfo& plugin) override {
    return handler_.ValidatePlugin(plugin.name, plugin.endpoint, plugin.versions);
  }
  absl::Status Register(const PluginInfo& plugin) override {
    return handler_.RegisterPlugin(plugin.name, plugin.endpoint, plugin.versions);
  }
  void Deregister(const PluginInfo& plugin) override { handler_.DeregisterPlugin(plugin.name, plugin.endpoint); }

 private:
  dra::WatcherHandler& handler_;
};

}  // namespace kubelet_cm::pluginwatcher

#endif  // KUBELET_CM_KUBELET_CM_PLUGINWATCHER_STACK_HANDLERS_H_
