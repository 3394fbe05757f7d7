// GrpcRegistrationClient: the RegistrationClient of plugins on unix sockets.
#ifndef KUBELET_CM_KUBELET_CM_PLUGINWATCHER_GRPC_REGISTRATION_CLIENT_H_
#define KUBELET_CM_KUBELET_CM_PLUGINWATCHER_GRPC_REGISTRATION_CLIENT_H_

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "common/pluginregistration/pluginregistration.grpc.pb.h"
#include "common/unixsocket/calls_in_flight.h"
#include "kubelet_cm/pluginwatcher/registration_client.h"

namespace kubelet_cm::pluginwatcher {

// An answer of a plugin takes some hundred bytes; a longer one than this is refused before it is read.
inline constexpr int kMaxAnswerBytes = 64 << 10;

class GrpcRegistrationClient : public RegistrationClient {
 public:
  explicit GrpcRegistrationClient(std::string socket_path) : socket_path_(std::move(socket_path)) {}

  absl::Status Connect(absl::Duration timeout) override;
  absl::StatusOr<PluginInfo> GetInfo(absl::Duration timeout) override;
  absl::Status NotifyRegistrationStatus(bool registered, const std::string& error, absl::Duration timeout) override;
  void Cancel() override;

 private:
  const std::string socket_path_;
  std::unique_ptr<::pluginregistration::Registration::Stub> stub_;  // null before Connect is through
  CallsInFlight calls_;
  std::atomic<bool> cancelled_ = false;
};

}  // namespace kubelet_cm::pluginwatcher

#endif  // KUBELET_CM_KUBELET_CM_PLUGINWATCHER_GRPC_REGISTRATION_CLIENT_H_
