// What plugins say, for people. Pure functions.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_PLUGIN_TEXT_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_PLUGIN_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "deviceplugin/api/v1beta1.pb.h"
#include "tools/cmctl/node/socket_report.h"

namespace kubelet_cm::cmctl {

std::string OptionsText(const ::v1beta1::DevicePluginOptions& options);
// A table, by id.
std::string DevicesText(const ::v1beta1::ListAndWatchResponse& list);
std::string AllocationText(const ::v1beta1::AllocateResponse& response, bool secrets);
// Without the values of environment variables.
::v1beta1::AllocateResponse WithoutSecrets(::v1beta1::AllocateResponse response);

std::string ReportText(const SocketReport& report);
// {"services": [{"name", "meaning"}], "registration", "options", "devices", "problems"}; null for what was not asked.
absl::StatusOr<std::string> ReportJson(const SocketReport& report);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_PLUGIN_TEXT_H_
