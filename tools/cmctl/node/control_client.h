// ControlClient: the seam to a daemon's control API (kubelet_cm/api/control.proto).
//
//  - GrpcControlClient (grpc_control_client.h): over the daemon's socket.
//  - FakeControlClient (fake_control_client.h, tests only): answers that a test gives.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_CONTROL_CLIENT_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_CONTROL_CLIENT_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "kubelet_cm/api/control.pb.h"

namespace kubelet_cm::cmctl {

namespace v1 = ::kubeletcm::v1;

// One open watch. Used by one thread; destroyed before its client, which cancels it.
class EventStream {
 public:
  EventStream() = default;
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;
  virtual ~EventStream() = default;

  // Blocks for the next event. An error is how the stream ended: kOutOfRange when the daemon ended it properly.
  virtual absl::StatusOr<v1::Event> Next() = 0;
};

// Used by one thread. Calls block; errors have the daemon's code and message.
class ControlClient {
 public:
  ControlClient() = default;
  ControlClient(const ControlClient&) = delete;
  ControlClient& operator=(const ControlClient&) = delete;
  virtual ~ControlClient() = default;

  virtual absl::StatusOr<v1::AdmitPodResponse> AdmitPod(const v1::AdmitPodRequest& request) = 0;
  virtual absl::StatusOr<v1::PreparePodResponse> PreparePod(const v1::PreparePodRequest& request) = 0;
  virtual absl::StatusOr<v1::ContainerOptionsResponse> ContainerOptions(const v1::ContainerOptionsRequest& request) = 0;
  virtual absl::Status ContainerStarted(const v1::ContainerStartedRequest& request) = 0;
  virtual absl::Status ContainerExited(const v1::ContainerExitedRequest& request) = 0;
  virtual absl::StatusOr<v1::RemovePodResponse> RemovePod(const v1::RemovePodRequest& request) = 0;

  virtual absl::StatusOr<v1::ListPodsResponse> ListPods() = 0;
  virtual absl::StatusOr<v1::NodeResourcesResponse> NodeResources() = 0;
  virtual absl::StatusOr<v1::ListPluginsResponse> ListPlugins() = 0;
  virtual absl::StatusOr<v1::ListClaimsResponse> ListClaims() = 0;
  virtual absl::StatusOr<v1::ExplainResponse> Explain(const v1::ExplainRequest& request) = 0;
  // What happens after it has returned is not missed. An error is told by the first Next(); kDeadlineExceeded when
  // `limit` is over.
  virtual std::unique_ptr<EventStream> Watch(const v1::WatchRequest& request, absl::Duration limit) = 0;
  std::unique_ptr<EventStream> Watch(const v1::WatchRequest& request) {
    return Watch(request, absl::InfiniteDuration());
  }

  virtual absl::StatusOr<v1::ForgetClaimResponse> ForgetClaim(const v1::ForgetClaimRequest& request) = 0;
  virtual absl::Status Drain() = 0;
  virtual absl::StatusOr<v1::VersionResponse> Version() = 0;
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_CONTROL_CLIENT_H_
