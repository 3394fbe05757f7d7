// WatcherHandler: what the plugin watcher asks about plugins of the type DevicePlugin that it has found in its folder.
#ifndef KUBELET_CM_DEVICEPLUGIN_REGISTRATION_WATCHER_HANDLER_H_
#define KUBELET_CM_DEVICEPLUGIN_REGISTRATION_WATCHER_HANDLER_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "common/log/logger.h"
#include "deviceplugin/registration/registration_handler.h"

namespace kubelet_cm::deviceplugin {

// Thread-safe. Such plugins speak v1beta1; their sockets may be anywhere.
class WatcherHandler {
 public:
  // The type that plugins of this kind have in their PluginInfo.
  static constexpr std::string_view kType = "DevicePlugin";

  // Both outlive this.
  WatcherHandler(RegistrationHandler& handler, Logger& log) : handler_(handler), log_(log) {}

  // OK when the plugin speaks v1beta1 and `name`, the resource's, may be registered; upstream's texts otherwise.
  // `endpoint` is for the log.
  absl::Status ValidatePlugin(const std::string& name, const std::string& endpoint,
                              absl::Span<const std::string> versions) const;

  // Validates, and connects to the socket `endpoint`, an absolute path: blocks until that is done or has failed.
  absl::Status RegisterPlugin(const std::string& name, const std::string& endpoint,
                              absl::Span<const std::string> versions);

  void DeregisterPlugin(const std::string& name, const std::string& endpoint);

 private:
  RegistrationHandler& handler_;
  Logger& log_;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_REGISTRATION_WATCHER_HANDLER_H_
