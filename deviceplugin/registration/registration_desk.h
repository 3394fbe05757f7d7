// RegistrationDesk: what becomes of a Register call, whatever service it came in by: the checks in the kubelet's order,
// their texts, the metric and the log lines. What passes goes to the handler.
#ifndef KUBELET_CM_DEVICEPLUGIN_REGISTRATION_REGISTRATION_DESK_H_
#define KUBELET_CM_DEVICEPLUGIN_REGISTRATION_REGISTRATION_DESK_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/log/logger.h"
#include "common/metrics/registry.h"
#include "common/threads/mutex.h"
#include "deviceplugin/api/plugin_api.h"
#include "deviceplugin/registration/api_versions.h"
#include "deviceplugin/registration/registration_handler.h"

namespace kubelet_cm::deviceplugin {

// A RegisterRequest as it came, by the service at which it came.
struct RegistrationRequest {
  RegistrationWire wire = RegistrationWire::kV1Beta1;
  std::string version = {};
  std::string endpoint = {};
  std::string resource_name = {};
};

struct RegistrationDeskOptions {
  std::string folder = {};              // absolute; endpoints are names in it
  std::vector<PluginApi> offered = {};  // what the kubelet speaks, newest first
};

// What registration talks to; all of it outlives whatever is given it.
struct RegistrationDeps {
  Logger& log;
  MetricsRegistry& metrics;
  RegistrationHandler& handler;
};

// Thread-safe; Register blocks as long as the handler does, with no lock held.
class RegistrationDesk {
 public:
  // So many plugins may be waiting for the handler; further ones are refused.
  static constexpr size_t kMaxUnderWay = 64;
  // So many resource names are counted one by one, whatever plugins send; those of all others as "other".
  static constexpr size_t kMaxCountedNames = 1000;

  RegistrationDesk(const RegistrationDeps& deps, RegistrationDeskOptions options);
  RegistrationDesk(const RegistrationDesk&) = delete;
  RegistrationDesk& operator=(const RegistrationDesk&) = delete;

  // The error's message is what the plugin is to be told.
  absl::Status Register(const RegistrationRequest& request);

 private:
  // Nothing for a version that is not offered at this service.
  std::optional<PluginApi> OfferedApi(const RegistrationRequest& request) const;
  absl::StatusOr<RegisterPlugin> Check(const RegistrationRequest& request) const;
  void Count(const std::string& resource_name);
  absl::Status Handle(const RegisterPlugin& plugin);

  Logger& log_;
  RegistrationHandler& handler_;
  const RegistrationDeskOptions options_;

  Mutex mu_;
  CounterFamily total_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_set<std::string> counted_ ABSL_GUARDED_BY(mu_);
  size_t under_way_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_REGISTRATION_REGISTRATION_DESK_H_
