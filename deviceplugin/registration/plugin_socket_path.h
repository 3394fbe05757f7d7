// PluginSocketPath: where the socket of a plugin is that registered by its name. Pure.
#ifndef KUBELET_CM_DEVICEPLUGIN_REGISTRATION_PLUGIN_SOCKET_PATH_H_
#define KUBELET_CM_DEVICEPLUGIN_REGISTRATION_PLUGIN_SOCKET_PATH_H_

#include <string>

#include "absl/status/statusor.h"

namespace kubelet_cm::deviceplugin {

// The path of `endpoint` in `folder`, an absolute path. kInvalidArgument, naming the endpoint and what is wrong with
// it, unless it is a plain name that stays in the folder and that a unix socket can have. (Kubelets follow "../x".)
absl::StatusOr<std::string> PluginSocketPath(const std::string& folder, const std::string& endpoint);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_REGISTRATION_PLUGIN_SOCKET_PATH_H_
