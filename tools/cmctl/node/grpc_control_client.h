// GrpcControlClient: the control API of the daemon behind a socket.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_GRPC_CONTROL_CLIENT_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_GRPC_CONTROL_CLIENT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "grpcpp/channel.h"
#include "kubelet_cm/api/control.grpc.pb.h"
#include "tools/cmctl/node/control_client.h"

namespace kubelet_cm::cmctl {

class GrpcControlClient : public ControlClient {
 public:
  // Does not connect. InvalidArgument for a path that cannot be a socket's.
  static absl::StatusOr<std::unique_ptr<ControlClient>> New(const std::string& socket_path);

  explicit GrpcControlClient(const std::shared_ptr<grpc::Channel>& channel);

  absl::StatusOr<v1::AdmitPodResponse> AdmitPod(const v1::AdmitPodRequest& request) override;
  absl::StatusOr<v1::PreparePodResponse> PreparePod(const v1::PreparePodRequest& request) override;
  absl::StatusOr<v1::ContainerOptionsResponse> ContainerOptions(const v1::ContainerOptionsRequest& request) override;
  absl::Status ContainerStarted(const v1::ContainerStartedRequest& request) override;
  absl::Status ContainerExited(const v1::ContainerExitedRequest& request) override;
  absl::StatusOr<v1::RemovePodResponse> RemovePod(const v1::RemovePodRequest& request) override;
  absl::StatusOr<v1::ListPodsResponse> ListPods() override;
  absl::StatusOr<v1::NodeResourcesResponse> NodeResources() override;
  absl::StatusOr<v1::ListPluginsResponse> ListPlugins() override;
  absl::StatusOr<v1::ListClaimsResponse> ListClaims() override;
  absl::StatusOr<v1::ExplainResponse> Explain(const v1::ExplainRequest& request) override;
  using ControlClient::Watch;
  std::unique_ptr<EventStream> Watch(const v1::WatchRequest& request, absl::Duration limit) override;
  absl::StatusOr<v1::ForgetClaimResponse> ForgetClaim(const v1::ForgetClaimRequest& request) override;
  absl::Status Drain() override;
  absl::StatusOr<v1::VersionResponse> Version() override;

 private:
  const std::unique_ptr<v1::Control::Stub> stub_;
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_GRPC_CONTROL_CLIENT_H_
