#include "kubelet_cm/pluginwatcher/grpc_registration_client.h"

#include <algorithm>

#include "common/status/status_macros.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/deadline.h"

namespace kubelet_cm::pluginwatcher {
namespace {

// gRPC's wait for a connection cannot be cancelled, so it is made in turns: how late Cancel may be noticed.
constexpr absl::Duration kTurn = absl::Milliseconds(100);

}  // namespace

absl::Status GrpcRegistrationClient::Connect(absl::Duration timeout) {
  const gpr_timespec deadline = DeadlineIn(timeout);
  ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel,
                   UnixSocketChannel(socket_path_, {.max_receive_bytes = kMaxAnswerBytes}));
  while (!channel->WaitForConnected(DeadlineIn(std::min(kTurn, TimeUntil(deadline))))) {
    if (cancelled_) return absl::CancelledError("context canceled");
    if (TimeUntil(deadline) <= absl::ZeroDuration()) return absl::DeadlineExceededError("context deadline exceeded");
  }
  stub_ = ::pluginregistration::Registration::NewStub(channel);
  return absl::OkStatus();
}

absl::StatusOr<PluginInfo> GrpcRegistrationClient::GetInfo(absl::Duration timeout) {
  ASSIGN_OR_RETURN(const ::pluginregistration::PluginInfo answer,
                   calls_.Unary<::pluginregistration::PluginInfo>(
                       timeout, [&](auto* context, auto* response) { return stub_->GetInfo(context, {}, response); }));
  return PluginInfo{.type = answer.type(),
                    .name = answer.name(),
                    .endpoint = answer.endpoint(),
                    .versions = {answer.supported_versions().begin(), answer.supported_versions().end()}};
}

absl::Status GrpcRegistrationClient::NotifyRegistrationStatus(bool registered, const std::string& error,
                                                              absl::Duration timeout) {
  ::pluginregistration::RegistrationStatus status;
  status.set_plugin_registered(registered);
  status.set_error(error);
  return calls_
      .Unary<::pluginregistration::RegistrationStatusResponse>(
          timeout,
          [&](auto* context, auto* response) { return stub_->NotifyRegistrationStatus(context, status, response); })
      .status();
}

void GrpcRegistrationClient::Cancel() {
  cancelled_ = true;
  calls_.CancelAll();
}

}  // namespace kubelet_cm::pluginwatcher
