// PluginApi: the device plugin protocols there were. Each kubelet speaks one of them; this project speaks all.
#ifndef KUBELET_CM_DEVICEPLUGIN_API_PLUGIN_API_H_
#define KUBELET_CM_DEVICEPLUGIN_API_PLUGIN_API_H_

#include <string_view>

namespace kubelet_cm::deviceplugin {

// Newest first.
enum class PluginApi {
  kV1Beta1,   // Kubernetes 1.10 and newer
  kV1Alpha2,  // 1.9
  k01,        // 1.8
};

// What a plugin of this protocol puts into RegisterRequest.version.
constexpr std::string_view ApiVersion(PluginApi api) {
  switch (api) {
    case PluginApi::kV1Beta1:
      return "v1beta1";
    case PluginApi::kV1Alpha2:
      return "v1alpha2";
    case PluginApi::k01:
      return "0.1";
  }
  return "";
}

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_API_PLUGIN_API_H_
