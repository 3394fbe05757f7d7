// The kinds of plugins that the kubelet knows, as PluginInfo.type spells them.
#ifndef KUBELET_CM_COMMON_PLUGINREGISTRATION_PLUGIN_TYPE_H_
#define KUBELET_CM_COMMON_PLUGINREGISTRATION_PLUGIN_TYPE_H_

#include <string_view>

namespace kubelet_cm {

inline constexpr std::string_view kDevicePluginType = "DevicePlugin";
inline constexpr std::string_view kDraPluginType = "DRAPlugin";
inline constexpr std::string_view kCsiPluginType = "CSIPlugin";

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_PLUGINREGISTRATION_PLUGIN_TYPE_H_
