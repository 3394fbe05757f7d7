#include "testing/harness/control_client.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "common/status/grpc_status.h"
#include "common/status/status_macros.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/deadline.h"
#include "grpcpp/grpcpp.h"

namespace kubelet_cm::harness {

namespace v1 = ::kubeletcm::v1;

namespace {

constexpr absl::Duration kCallLimit = absl::Seconds(60);
// 100,000 devices with all that is known of them.
constexpr int kMaxAnswerBytes = 256 << 20;

template <typename Request, typename Response>
absl::StatusOr<Response> Call(v1::Control::Stub& stub,
                              grpc::Status (v1::Control::Stub::*method)(grpc::ClientContext*, const Request&,
                                                                        Response*),
                              const Request& request) {
  grpc::ClientContext context;
  context.set_deadline(DeadlineIn(kCallLimit));
  Response response;
  const grpc::Status status = (stub.*method)(&context, request, &response);
  if (!status.ok()) return FromGrpcStatus(status);
  return response;
}

}  // namespace

absl::StatusOr<ControlClient> ControlClient::Connect(const std::string& socket) {
  ASSIGN_OR_RETURN(const auto channel,
                   DialUnixSocket(socket, {.timeout = kCallLimit, .max_receive_bytes = kMaxAnswerBytes}));
  return ControlClient(v1::Control::NewStub(channel));
}

absl::StatusOr<v1::AdmitPodResponse> ControlClient::Admit(const std::string& manifest) const {
  v1::AdmitPodRequest request;
  request.set_manifest(manifest);
  return Admit(request);
}

absl::StatusOr<v1::AdmitPodResponse> ControlClient::Admit(const v1::AdmitPodRequest& request) const {
  return Call(*stub_, &v1::Control::Stub::AdmitPod, request);
}

absl::StatusOr<v1::PreparePodResponse> ControlClient::Prepare(const std::string& pod_uid) const {
  v1::PreparePodRequest request;
  request.mutable_pod()->set_uid(pod_uid);
  return Call(*stub_, &v1::Control::Stub::PreparePod, request);
}

absl::StatusOr<v1::ContainerOptionsResponse> ControlClient::ContainerOptions(const std::string& pod_uid,
                                                                             const std::string& container) const {
  v1::ContainerOptionsRequest request;
  request.mutable_pod()->set_uid(pod_uid);
  request.set_container(container);
  return Call(*stub_, &v1::Control::Stub::ContainerOptions, request);
}

absl::Status ControlClient::ContainerStarted(const std::string& pod_uid, const std::string& container) const {
  v1::ContainerStartedRequest request;
  request.mutable_pod()->set_uid(pod_uid);
  request.set_container(container);
  return Call(*stub_, &v1::Control::Stub::ContainerStarted, request).status();
}

absl::Status ControlClient::ContainerExited(const std::string& pod_uid, const std::string& container) const {
  v1::ContainerExitedRequest request;
  request.mutable_pod()->set_uid(pod_uid);
  request.set_container(container);
  return Call(*stub_, &v1::Control::Stub::ContainerExited, request).status();
}

absl::StatusOr<v1::RemovePodResponse> ControlClient::Remove(const std::string& pod_uid, bool force) const {
  v1::RemovePodRequest request;
  request.mutable_pod()->set_uid(pod_uid);
  request.set_force(force);
  return Call(*stub_, &v1::Control::Stub::RemovePod, request);
}

absl::StatusOr<v1::ListPodsResponse> ControlClient::Pods() const {
  return Call(*stub_, &v1::Control::Stub::ListPods, v1::ListPodsRequest());
}

absl::StatusOr<v1::NodeResourcesResponse> ControlClient::Resources() const {
  return Call(*stub_, &v1::Control::Stub::NodeResources, v1::NodeResourcesRequest());
}

absl::StatusOr<v1::ListPluginsResponse> ControlClient::Plugins() const {
  return Call(*stub_, &v1::Control::Stub::ListPlugins, v1::ListPluginsRequest());
}

absl::StatusOr<v1::ListClaimsResponse> ControlClient::Claims() const {
  return Call(*stub_, &v1::Control::Stub::ListClaims, v1::ListClaimsRequest());
}

absl::StatusOr<v1::VersionResponse> ControlClient::Version() const {
  return Call(*stub_, &v1::Control::Stub::Version, v1::VersionRequest());
}

testing::AssertionResult ControlClient::Await(absl::FunctionRef<bool()> holds) const {
  grpc::ClientContext context;
  context.set_deadline(DeadlineIn(kCallLimit));
  v1::WatchRequest request;
  request.set_from_start(true);
  const auto events = stub_->Watch(&context, request);
  events->WaitForInitialMetadata();  // from here on no event is missed
  bool held = holds();
  v1::Event event;
  while (!held && events->Read(&event)) held = holds();
  context.TryCancel();
  const grpc::Status ended = events->Finish();
  if (held) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "what was waited for did not come about: " << FromGrpcStatus(ended);
}

testing::AssertionResult ControlClient::AwaitAllocatable(const std::string& resource, int64_t allocatable) const {
  std::string last;
  const auto holds = [&] {
    const absl::StatusOr<v1::NodeResourcesResponse> resources = Resources();
    if (!resources.ok()) return false;
    last = resources->ShortDebugString();
    return absl::c_any_of(resources->resources(), [&](const auto& found) {
      return found.name() == resource && found.connected() && found.allocatable() == allocatable;
    });
  };
  testing::AssertionResult result = Await(holds);
  if (!result) result << "; " << resource << " has not " << allocatable << " allocatable devices: " << last;
  return result;
}

}  // namespace kubelet_cm::harness
