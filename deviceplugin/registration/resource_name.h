// Which names a device plugin may register: extended resource names, by the rule of the kubelet that the plugin's
// protocol belongs to. Pure functions, for any thread.
#ifndef KUBELET_CM_DEVICEPLUGIN_REGISTRATION_RESOURCE_NAME_H_
#define KUBELET_CM_DEVICEPLUGIN_REGISTRATION_RESOURCE_NAME_H_

#include <cstddef>
#include <string_view>

#include "deviceplugin/api/plugin_api.h"

namespace kubelet_cm::deviceplugin {

// "example.com/gpu": a domain of lower-case labels, one slash and a name. Nothing in kubernetes.io, nothing that begins
// with "requests.", and "requests." before it makes it no longer than a qualified name may be.
bool IsExtendedResourceName(std::string_view name);

// No registered name is longer, whatever the protocol: as much as a qualified name has room for.
inline constexpr size_t kMaxResourceName = 253 + 1 + 63;

// IsExtendedResourceName for v1beta1. The kubelets of the older protocols took anything with a slash in it that is not
// in kubernetes.io, and 1.8 opaque integer resources besides.
bool IsRegistrableName(PluginApi api, std::string_view name);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_REGISTRATION_RESOURCE_NAME_H_
