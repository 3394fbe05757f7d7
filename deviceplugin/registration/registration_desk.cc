#include "deviceplugin/registration/registration_desk.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "deviceplugin/registration/plugin_socket_path.h"
#include "deviceplugin/registration/resource_name.h"

namespace kubelet_cm::deviceplugin {

RegistrationDesk::RegistrationDesk(const RegistrationDeps& deps, RegistrationDeskOptions options)
    : log_(deps.log),
      handler_(deps.handler),
      options_(std::move(options)),
      total_(deps.metrics.AddCounter(
          {.name = "kubelet_device_plugin_registration_total",
           .help = "[ALPHA] Cumulative number of device plugin registrations. Broken down by resource name.",
           .labels = {"resource_name"}})) {}

absl::Status RegistrationDesk::Register(const RegistrationRequest& request) {
  const std::string name = Shortened(request.resource_name);
  log_.Info("Got registration request from device plugin with resource", {{"resourceName", name}});
  Count(name);
  absl::StatusOr<RegisterPlugin> plugin = Check(request);
  if (!plugin.ok()) {
    if (OfferedApi(request).has_value()) {
      log_.Error(plugin.status(), "Bad registration request from device plugin");
    } else {
      log_.Error(plugin.status(), "Bad registration request from device plugin with resource",
                 {{"resourceName", name}});
    }
    return plugin.status();
  }
  absl::Status connected = Handle(*plugin);
  if (!connected.ok()) log_.Error(connected, "Error connecting to device plugin client");
  return connected;
}

std::optional<PluginApi> RegistrationDesk::OfferedApi(const RegistrationRequest& request) const {
  const std::vector<PluginApi> offered = OfferedOn(request.wire, options_.offered);
  const std::optional<PluginApi> api = ParseApiVersion(request.version);
  if (!api.has_value() || std::find(offered.begin(), offered.end(), *api) == offered.end()) return std::nullopt;
  return api;
}

absl::StatusOr<RegisterPlugin> RegistrationDesk::Check(const RegistrationRequest& request) const {
  const std::optional<PluginApi> api = OfferedApi(request);
  if (!api.has_value()) {
    return UnsupportedVersion(OfferedOn(request.wire, options_.offered), request.version);
  }
  if (!IsRegistrableName(*api, request.resource_name)) return InvalidResourceName(*api, request.resource_name);
  ASSIGN_OR_RETURN(std::string path, PluginSocketPath(options_.folder, request.endpoint));
  return RegisterPlugin{.api = *api,
                        .resource_name = request.resource_name,
                        .endpoint_name = request.endpoint,
                        .socket_path = std::move(path)};
}

void RegistrationDesk::Count(const std::string& resource_name) {
  MutexLock lock(&mu_);
  const bool has_room = counted_.size() < kMaxCountedNames;
  const bool by_name = has_room ? (counted_.insert(resource_name), true) : counted_.contains(resource_name);
  total_.With({by_name ? resource_name : "other"}).Increment();
}

absl::Status RegistrationDesk::Handle(const RegisterPlugin& plugin) {
  {
    MutexLock lock(&mu_);
    if (under_way_ == kMaxUnderWay) {
      return absl::ResourceExhaustedError(
          absl::StrCat(kMaxUnderWay, " device plugins are being registered already; try again later"));
    }
    ++under_way_;
  }
  absl::Status status = handler_.Register(plugin);
  MutexLock lock(&mu_);
  --under_way_;
  return status;
}

}  // namespace kubelet_cm::deviceplugin
