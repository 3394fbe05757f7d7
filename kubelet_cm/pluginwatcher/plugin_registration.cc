#include "kubelet_cm/pluginwatcher/plugin_registration.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/status/grpc_status.h"
#include "common/status/status_macros.h"
#include "dra/plugin/shown_text.h"
#include "kubelet_cm/pluginwatcher/endpoint_check.h"

namespace kubelet_cm::pluginwatcher {
namespace {

constexpr absl::Duration kDialTimeout = absl::Seconds(10);
constexpr absl::Duration kGetInfoTimeout = absl::Seconds(1);
constexpr absl::Duration kNotifyTimeout = absl::Seconds(5);

// How a plugin's error is shown: in gRPC-Go's words, and not at any length.
std::string PeerError(const absl::Status& error) { return dra::LongShown(GoRpcErrorText(error)); }

// One attempt to register the plugin behind one socket.
class Attempt {
 public:
  Attempt(const RegistrationDependencies& deps, const std::string& path, RegistrationClient& client)
      : deps_(deps), path_(path), client_(client) {}

  RegistrationOutcome Run() && {
    outcome_.status = Ask();
    if (!outcome_.status.ok()) {
      outcome_.reason = std::string(outcome_.status.message());
      return std::move(outcome_);
    }
    outcome_.status = Admit();
    return std::move(outcome_);
  }

 private:
  absl::Status Ask() {
    if (const absl::Status connected = client_.Connect(kDialTimeout); !connected.ok()) {
      return absl::Status(connected.code(),
                          absl::StrCat("RegisterPlugin error -- dial failed at socket ", path_,
                                       ", err: failed to dial socket ", path_, ", err: ", connected.message()));
    }
    absl::StatusOr<PluginInfo> info = client_.GetInfo(kGetInfoTimeout);
    if (!info.ok()) {
      return absl::Status(info.status().code(),
                          absl::StrCat("RegisterPlugin error -- failed to get plugin info using RPC GetInfo at socket ",
                                       path_, ", err: ", PeerError(info.status())));
    }
    outcome_.plugin = *std::move(info);
    if (outcome_.plugin.endpoint.empty()) outcome_.plugin.endpoint = path_;
    return absl::OkStatus();
  }

  absl::Status Admit() {
    if (const absl::Status sound = CheckPluginInfo(outcome_.plugin); !sound.ok()) {
      outcome_.plugin = {};  // nothing to keep, or to show
      return Refuse(Invalid(sound));
    }
    const auto handler = deps_.handlers.find(outcome_.plugin.type);
    if (handler == deps_.handlers.end()) {
      return Refuse(absl::FailedPreconditionError(
          absl::StrCat("RegisterPlugin error -- no handler registered for plugin type: ", outcome_.plugin.type,
                       " at socket ", path_)));
    }
    if (const absl::Status valid = Validate(*handler->second); !valid.ok()) return Refuse(Invalid(valid));
    if (const absl::Status registered = Register(*handler->second); !registered.ok()) {
      return Refuse(absl::Status(
          registered.code(),
          absl::StrCat("RegisterPlugin error -- plugin registration failed with err: ", registered.message())));
    }
    const absl::Status told = client_.NotifyRegistrationStatus(true, "", kNotifyTimeout);
    if (told.ok()) return absl::OkStatus();
    LetGo(*handler->second, /*registered=*/true);
    const absl::Status error(
        told.code(), absl::StrCat("RegisterPlugin error -- failed to send registration status at socket ", path_,
                                  ", err: ", PeerError(told)));
    outcome_.reason = std::string(error.message());
    return error;
  }

  static absl::Status Invalid(const absl::Status& why) {
    return absl::Status(why.code(),
                        absl::StrCat("RegisterPlugin error -- plugin validation failed with err: ", why.message()));
  }

  absl::Status Validate(PluginHandler& handler) {
    RETURN_IF_ERROR(CheckEndpoint(deps_.files, outcome_.plugin.endpoint, deps_.confine_endpoints_to));
    return handler.Validate(outcome_.plugin);
  }

  absl::Status Register(PluginHandler& handler) {
    RETURN_IF_ERROR(deps_.holds.Take(path_, outcome_.plugin));
    const absl::Status registered = handler.Register(outcome_.plugin);
    if (!registered.ok()) LetGo(handler, /*registered=*/false);
    return registered;
  }

  void LetGo(PluginHandler& handler, bool registered) {
    if (deps_.holds.BeginRelease(path_, registered)) handler.Deregister(outcome_.plugin);
    deps_.holds.Release(path_);
  }

  // Tells the plugin. As upstream's, the error reads as if that had failed even when it has not.
  absl::Status Refuse(const absl::Status& why) {
    outcome_.reason = std::string(why.message());
    const absl::Status told = client_.NotifyRegistrationStatus(false, outcome_.reason, kNotifyTimeout);
    const std::string rpc_error = told.ok() ? "" : absl::StrCat(": ", PeerError(told));
    return absl::Status(why.code(), absl::StrCat("RegisterPlugin error -- failed to send error at socket ", path_,
                                                 ", err: ", outcome_.reason, rpc_error));
  }

  const RegistrationDependencies& deps_;
  const std::string& path_;
  RegistrationClient& client_;
  RegistrationOutcome outcome_;
};

}  // namespace

RegistrationOutcome RegisterPlugin(const RegistrationDependencies& dependencies, const std::string& path,
                                   RegistrationClient& client) {
  return Attempt(dependencies, path, client).Run();
}

void UnregisterPlugin(const RegistrationDependencies& dependencies, const std::string& path, const PluginInfo& plugin) {
  if (dependencies.holds.BeginRelease(path, /*registered=*/true))
    dependencies.handlers.at(plugin.type)->Deregister(plugin);
}

}  // namespace kubelet_cm::pluginwatcher
