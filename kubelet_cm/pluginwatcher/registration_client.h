// RegistrationClient: what the watcher says to one plugin. The seam over gRPC; GrpcRegistrationClient speaks it,
// FakeRegistrationClients is for tests.
#ifndef KUBELET_CM_KUBELET_CM_PLUGINWATCHER_REGISTRATION_CLIENT_H_
#define KUBELET_CM_KUBELET_CM_PLUGINWATCHER_REGISTRATION_CLIENT_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "kubelet_cm/pluginwatcher/plugin_info.h"

namespace kubelet_cm::pluginwatcher {

// One thread makes the calls, which block; Cancel is for any.
class RegistrationClient {
 public:
  RegistrationClient() = default;
  RegistrationClient(const RegistrationClient&) = delete;
  RegistrationClient& operator=(const RegistrationClient&) = delete;
  // Closes the connection.
  virtual ~RegistrationClient() = default;

  // First of all. kDeadlineExceeded when nobody answers in time.
  virtual absl::Status Connect(absl::Duration timeout) = 0;

  // Errors are those that the plugin, or gRPC in its place, gave.
  virtual absl::StatusOr<PluginInfo> GetInfo(absl::Duration timeout) = 0;
  virtual absl::Status NotifyRegistrationStatus(bool registered, const std::string& error, absl::Duration timeout) = 0;

  // The call that there is and later ones end soon, with kCancelled. Does not wait.
  virtual void Cancel() = 0;
};

// A client of the plugin whose registration socket has this path. Does not connect.
using MakeRegistrationClient = std::function<std::unique_ptr<RegistrationClient>(const std::string& socket_path)>;

}  // namespace kubelet_cm::pluginwatcher

#endif  // KUBELET_CM_KUBELET_CM_PLUGINWATCHER_REGISTRATION_CLIENT_H_
