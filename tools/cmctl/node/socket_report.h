// SocketReport: what was found behind a socket. A plain value.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_SOCKET_REPORT_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_SOCKET_REPORT_H_

#include <optional>
#include <string>
#include <vector>

#include "common/pluginregistration/pluginregistration.pb.h"
#include "deviceplugin/api/v1beta1.pb.h"

namespace kubelet_cm::cmctl {

// A service that a socket may serve.
struct KnownService {
  std::string name = {};     // "v1beta1.DevicePlugin"
  std::string meaning = {};  // "device plugin"
};

struct SocketReport {
  std::vector<KnownService> services = {};  // those that are there
  // What they say of themselves, where they were asked.
  std::optional<::pluginregistration::PluginInfo> registration = {};
  std::optional<::v1beta1::DevicePluginOptions> options = {};
  std::optional<::v1beta1::ListAndWatchResponse> devices = {};  // the first message
  std::vector<std::string> problems = {};                       // questions that went wrong
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_SOCKET_REPORT_H_
