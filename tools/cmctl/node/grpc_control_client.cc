#include "tools/cmctl/node/grpc_control_client.h"

#include <utility>

#include "common/status/grpc_status.h"
#include "common/status/status_macros.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/deadline.h"
#include "grpcpp/client_context.h"
#include "tools/cmctl/node/unary_call.h"

namespace kubelet_cm::cmctl {
namespace {

// Lists of a node with 100,000 devices.
constexpr int kMostReceived = 256 << 20;

class GrpcEventStream : public EventStream {
 public:
  GrpcEventStream(v1::Control::Stub& stub, const v1::WatchRequest& request, absl::Duration limit) {
    context_.set_deadline(DeadlineIn(limit));
    reader_ = stub.Watch(&context_, request);
    // The daemon sends it when the watch has begun.
    reader_->WaitForInitialMetadata();
  }
  ~GrpcEventStream() override {
    if (ended_) return;
    context_.TryCancel();
    v1::Event event;
    while (reader_->Read(&event)) {
    }
    reader_->Finish();
  }

  absl::StatusOr<v1::Event> Next() override {
    v1::Event event;
    if (!ended_ && reader_->Read(&event)) return event;
    if (!ended_) {
      ended_ = true;
      end_ = FromGrpcStatus(reader_->Finish());
      if (end_.ok()) end_ = absl::OutOfRangeError("the daemon has ended the watch");
    }
    return end_;
  }

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReader<v1::Event>> reader_;
  bool ended_ = false;
  absl::Status end_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ControlClient>> GrpcControlClient::New(const std::string& socket_path) {
  ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel,
                   UnixSocketChannel(socket_path, {.max_receive_bytes = kMostReceived}));
  return std::make_unique<GrpcControlClient>(channel);
}

GrpcControlClient::GrpcControlClient(const std::shared_ptr<grpc::Channel>& channel)
    : stub_(v1::Control::NewStub(channel)) {}

absl::StatusOr<v1::AdmitPodResponse> GrpcControlClient::AdmitPod(const v1::AdmitPodRequest& request) {
  return CallOnce<v1::AdmitPodResponse>(
      kWorkTime, [&](auto* context, auto* response) { return stub_->AdmitPod(context, request, response); });
}

absl::StatusOr<v1::PreparePodResponse> GrpcControlClient::PreparePod(const v1::PreparePodRequest& request) {
  return CallOnce<v1::PreparePodResponse>(
      kWorkTime, [&](auto* context, auto* response) { return stub_->PreparePod(context, request, response); });
}

absl::StatusOr<v1::ContainerOptionsResponse> GrpcControlClient::ContainerOptions(
    const v1::ContainerOptionsRequest& request) {
  return CallOnce<v1::ContainerOptionsResponse>(
      kWorkTime, [&](auto* context, auto* response) { return stub_->ContainerOptions(context, request, response); });
}

absl::Status GrpcControlClient::ContainerStarted(const v1::ContainerStartedRequest& request) {
  return CallOnce<v1::ContainerStartedResponse>(
             kAnswerTime,
             [&](auto* context, auto* response) { return stub_->ContainerStarted(context, request, response); })
      .status();
}

absl::Status GrpcControlClient::ContainerExited(const v1::ContainerExitedRequest& request) {
  return CallOnce<v1::ContainerExitedResponse>(
             kAnswerTime,
             [&](auto* context, auto* response) { return stub_->ContainerExited(context, request, response); })
      .status();
}

absl::StatusOr<v1::RemovePodResponse> GrpcControlClient::RemovePod(const v1::RemovePodRequest& request) {
  return CallOnce<v1::RemovePodResponse>(
      kWorkTime, [&](auto* context, auto* response) { return stub_->RemovePod(context, request, response); });
}

absl::StatusOr<v1::ListPodsResponse> GrpcControlClient::ListPods() {
  return CallOnce<v1::ListPodsResponse>(
      kAnswerTime, [&](auto* context, auto* response) { return stub_->ListPods(context, {}, response); });
}

absl::StatusOr<v1::NodeResourcesResponse> GrpcControlClient::NodeResources() {
  return CallOnce<v1::NodeResourcesResponse>(
      kAnswerTime, [&](auto* context, auto* response) { return stub_->NodeResources(context, {}, response); });
}

absl::StatusOr<v1::ListPluginsResponse> GrpcControlClient::ListPlugins() {
  return CallOnce<v1::ListPluginsResponse>(
      kAnswerTime, [&](auto* context, auto* response) { return stub_->ListPlugins(context, {}, response); });
}

absl::StatusOr<v1::ListClaimsResponse> GrpcControlClient::ListClaims() {
  return CallOnce<v1::ListClaimsResponse>(
      kAnswerTime, [&](auto* context, auto* response) { return stub_->ListClaims(context, {}, response); });
}

absl::StatusOr<v1::ExplainResponse> GrpcControlClient::Explain(const v1::ExplainRequest& request) {
  return CallOnce<v1::ExplainResponse>(
      kAnswerTime, [&](auto* context, auto* response) { return stub_->Explain(context, request, response); });
}

std::unique_ptr<EventStream> GrpcControlClient::Watch(const v1::WatchRequest& request, absl::Duration limit) {
  return std::make_unique<GrpcEventStream>(*stub_, request, limit);
}

absl::StatusOr<v1::ForgetClaimResponse> GrpcControlClient::ForgetClaim(const v1::ForgetClaimRequest& request) {
  return CallOnce<v1::ForgetClaimResponse>(
      kWorkTime, [&](auto* context, auto* response) { return stub_->ForgetClaim(context, request, response); });
}

absl::Status GrpcControlClient::Drain() {
  return CallOnce<v1::DrainResponse>(kAnswerTime,
                                     [&](auto* context, auto* response) { return stub_->Drain(context, {}, response); })
      .status();
}

absl::StatusOr<v1::VersionResponse> GrpcControlClient::Version() {
  return CallOnce<v1::VersionResponse>(
      kAnswerTime, [&](auto* context, auto* response) { return stub_->Version(context, {}, response); });
}

}  // namespace kubelet_cm::cmctl
