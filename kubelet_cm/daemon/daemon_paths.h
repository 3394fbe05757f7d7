// Where the daemon's files and sockets are: as a kubelet's below its root folder, and its own beside them. Pure.
#ifndef KUBELET_CM_KUBELET_CM_DAEMON_DAEMON_PATHS_H_
#define KUBELET_CM_KUBELET_CM_DAEMON_DAEMON_PATHS_H_

#include <string>

#include "kubelet_cm/config/daemon_options.h"

namespace kubelet_cm {

struct DaemonPaths {
  std::string root;
  std::string device_plugins;       // state file and sockets of device plugins
  std::string registration_socket;  // at which they register
  std::string plugins_registry;     // the watched folder
  std::string plugins;              // drivers keep their sockets here
  std::string pod_resources_socket;
  std::string control_socket;
  std::string pods;  // the admitted pods, a file each
};

inline DaemonPaths PathsOf(const config::DaemonOptions& options) {
  return {.root = options.root_dir,
          .device_plugins = options.device_plugin_dir,
          .registration_socket = options.device_plugin_dir + "/kubelet.sock",
          .plugins_registry = options.root_dir + "/plugins_registry",
          .plugins = options.root_dir + "/plugins",
          .pod_resources_socket = options.root_dir + "/pod-resources/kubelet.sock",
          .control_socket = options.root_dir + "/kubelet_cm.sock",
          .pods = options.root_dir + "/kubelet_cm/pods"};
}

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_DAEMON_DAEMON_PATHS_H_
