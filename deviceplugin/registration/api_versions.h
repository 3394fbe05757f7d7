// Which protocol a registration speaks, and how each kubelet refuses one that it does not offer. The texts are
// upstream's where one kubelet's offer is imitated; what comes from outside is quoted as Go's %q does, and cut when it
// is long. Pure functions, for any thread.
#ifndef KUBELET_CM_DEVICEPLUGIN_REGISTRATION_API_VERSIONS_H_
#define KUBELET_CM_DEVICEPLUGIN_REGISTRATION_API_VERSIONS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "deviceplugin/api/plugin_api.h"

namespace kubelet_cm::deviceplugin {

// The inverse of ApiVersion.
std::optional<PluginApi> ParseApiVersion(std::string_view version);

// The two services that a plugin may register with; their paths on the wire differ.
enum class RegistrationWire {
  kV1Beta1,  // v1beta1.Registration
  kV1Alpha,  // deviceplugin.Registration, of v1alpha2 and 0.1
};
RegistrationWire WireOf(PluginApi api);

// Those of `offered` that register with `wire`, in the same order.
std::vector<PluginApi> OfferedOn(RegistrationWire wire, absl::Span<const PluginApi> offered);

// All three are kInvalidArgument. `offered` is what the service in question offers; not empty.
absl::Status UnsupportedVersion(absl::Span<const PluginApi> offered, std::string_view version);
absl::Status InvalidResourceName(PluginApi api, std::string_view name);
// A plugin that the plugin watcher found, which speaks none of our versions.
absl::Status NoSupportedVersion(absl::Span<const std::string> versions);

// `text` without what is beyond its first 256 bytes, for messages and logs.
std::string Shortened(std::string_view text);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_REGISTRATION_API_VERSIONS_H_
