// RegistrationHandler: who takes the plugins that register. The device manager does; registration only checks what
// came.
#ifndef KUBELET_CM_DEVICEPLUGIN_REGISTRATION_REGISTRATION_HANDLER_H_
#define KUBELET_CM_DEVICEPLUGIN_REGISTRATION_REGISTRATION_HANDLER_H_

#include <string>

#include "absl/status/status.h"
#include "deviceplugin/api/plugin_api.h"

namespace kubelet_cm::deviceplugin {

// Checked: the protocol is offered, the name may be registered, the path is one that a unix socket can have.
struct RegisterPlugin {
  PluginApi api = PluginApi::kV1Beta1;
  std::string resource_name = {};
  std::string endpoint_name = {};  // the socket's name
  std::string socket_path = {};

  friend bool operator==(const RegisterPlugin&, const RegisterPlugin&) = default;
};

// Thread-safe. No lock is held while it is called.
class RegistrationHandler {
 public:
  virtual ~RegistrationHandler() = default;

  // Connects to the plugin: blocks until that is done or has failed. The plugin waits for this and is told the error.
  virtual absl::Status Register(const RegisterPlugin& request) = 0;

  // The plugin watcher saw the plugin leave. Nothing when none of this name is connected at this path.
  virtual void Deregister(const std::string& resource_name, const std::string& socket_path) = 0;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_REGISTRATION_REGISTRATION_HANDLER_H_
