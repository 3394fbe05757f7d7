// WatcherHandler: what the plugin watcher asks about plugins of the type DRAPlugin that it has found in its folder.
#ifndef KUBELET_CM_DRA_PLUGIN_WATCHER_HANDLER_H_
#define KUBELET_CM_DRA_PLUGIN_WATCHER_HANDLER_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "common/pluginregistration/plugin_type.h"
#include "dra/plugin/driver_registry.h"

namespace kubelet_cm::dra {

// Thread-safe. The name of such a plugin is the driver's; errors have upstream's texts.
class WatcherHandler {
 public:
  // The type that plugins of this kind have in their PluginInfo.
  static constexpr std::string_view kType = kDraPluginType;

  // `registry` outlives this.
  explicit WatcherHandler(DriverRegistry& registry) : registry_(registry) {}

  absl::Status ValidatePlugin(const std::string& name, const std::string& endpoint,
                              absl::Span<const std::string> versions) const;

  // Validates; does not wait until the driver is connected. `endpoint` is an absolute path.
  absl::Status RegisterPlugin(const std::string& name, const std::string& endpoint,
                              absl::Span<const std::string> versions);

  void DeregisterPlugin(const std::string& name, const std::string& endpoint);

 private:
  DriverRegistry& registry_;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_WATCHER_HANDLER_H_
