#include "deviceplugin/registration/watcher_handler.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/filesystem/path.h"
#include "common/status/status_macros.h"
#include "common/unixsocket/socket_path.h"
#include "deviceplugin/registration/api_versions.h"
#include "deviceplugin/registration/resource_name.h"

namespace kubelet_cm::deviceplugin {

namespace {

absl::Status Check(const std::string& name, absl::Span<const std::string> versions) {
  const auto is_ours = [](const std::string& version) { return version == ApiVersion(PluginApi::kV1Beta1); };
  if (std::none_of(versions.begin(), versions.end(), is_ours)) return NoSupportedVersion(versions);
  if (!IsExtendedResourceName(name)) {
    return absl::InvalidArgumentError(absl::StrCat("invalid name of device plugin socket: ",
                                                   InvalidResourceName(PluginApi::kV1Beta1, name).message()));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status WatcherHandler::ValidatePlugin(const std::string& name, const std::string& endpoint,
                                            absl::Span<const std::string> versions) const {
  const LogField plugin{"plugin", name};
  const LogField where{"endpoint", endpoint};
  log_.V(2).Info("Got plugin at endpoint with versions", {plugin, where, {"versions", versions}});
  RETURN_IF_ERROR(Check(name, versions));
  log_.V(2).Info("Device plugin validated", {plugin, where, {"versions", versions}});
  return absl::OkStatus();
}

absl::Status WatcherHandler::RegisterPlugin(const std::string& name, const std::string& endpoint,
                                            absl::Span<const std::string> versions) {
  log_.V(2).Info("Registering plugin at endpoint", {{"plugin", name}, {"endpoint", endpoint}});
  RETURN_IF_ERROR(Check(name, versions));
  RETURN_IF_ERROR(CheckSocketPath(endpoint));
  return handler_.Register(
      {.api = PluginApi::kV1Beta1, .resource_name = name, .endpoint_name = NameOf(endpoint), .socket_path = endpoint});
}

void WatcherHandler::DeregisterPlugin(const std::string& name, const std::string& endpoint) {
  log_.V(2).Info("Deregistering plugin", {{"plugin", name}, {"endpoint", endpoint}});
  handler_.Deregister(name, endpoint);
}

}  // namespace kubelet_cm::deviceplugin
