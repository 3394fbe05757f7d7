#include "tools/cmctl/node/socket_connections.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "common/unixsocket/channel.h"
#include "deviceplugin/endpoint/connect_plugin.h"
#include "httplib.h"
#include "kubelet_cm/podresources/api/v1.grpc.pb.h"
#include "kubelet_cm/podresources/api/v1alpha1.grpc.pb.h"
#include "tools/cmctl/node/grpc_control_client.h"
#include "tools/cmctl/node/socket_probe.h"
#include "tools/cmctl/node/unary_call.h"

namespace kubelet_cm::cmctl {
namespace {

constexpr int kMostPodResources = 64 << 20;
constexpr size_t kMostPageBytes = size_t{64} << 20;
constexpr int kPageSeconds = 5;

class GrpcPodResourcesClient : public PodResourcesClient {
 public:
  explicit GrpcPodResourcesClient(const std::shared_ptr<grpc::Channel>& channel)
      : stub_(::v1::PodResourcesLister::NewStub(channel)),
        old_stub_(::v1alpha1::PodResourcesLister::NewStub(channel)) {}

  absl::StatusOr<::v1::ListPodResourcesResponse> List() override {
    return CallOnce<::v1::ListPodResourcesResponse>(
        kAnswerTime, [&](auto* context, auto* response) { return stub_->List(context, {}, response); });
  }
  absl::StatusOr<::v1::ListPodResourcesResponse> ListV1Alpha1() override {
    ASSIGN_OR_RETURN(const ::v1alpha1::ListPodResourcesResponse old,
                     CallOnce<::v1alpha1::ListPodResourcesResponse>(kAnswerTime, [&](auto* context, auto* response) {
                       return old_stub_->List(context, {}, response);
                     }));
    // v1 has all of v1alpha1's fields, with its numbers.
    ::v1::ListPodResourcesResponse response;
    if (!response.ParseFromString(old.SerializeAsString())) return absl::InternalError("the answer is not v1alpha1's");
    return response;
  }
  absl::StatusOr<::v1::GetPodResourcesResponse> Get(const std::string& namespace_name,
                                                    const std::string& name) override {
    ::v1::GetPodResourcesRequest request;
    request.set_pod_namespace(namespace_name);
    request.set_pod_name(name);
    return CallOnce<::v1::GetPodResourcesResponse>(
        kAnswerTime, [&](auto* context, auto* response) { return stub_->Get(context, request, response); });
  }
  absl::StatusOr<::v1::AllocatableResourcesResponse> Allocatable() override {
    return CallOnce<::v1::AllocatableResourcesResponse>(kAnswerTime, [&](auto* context, auto* response) {
      return stub_->GetAllocatableResources(context, {}, response);
    });
  }

 private:
  const std::unique_ptr<::v1::PodResourcesLister::Stub> stub_;
  const std::unique_ptr<::v1alpha1::PodResourcesLister::Stub> old_stub_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ControlClient>> SocketConnections::Control(const std::string& socket_path) {
  return GrpcControlClient::New(socket_path);
}

absl::StatusOr<std::unique_ptr<PodResourcesClient>> SocketConnections::PodResources(const std::string& socket_path) {
  ASSIGN_OR_RETURN(const std::shared_ptr<grpc::Channel> channel,
                   UnixSocketChannel(socket_path, {.max_receive_bytes = kMostPodResources}));
  return std::make_unique<GrpcPodResourcesClient>(channel);
}

absl::StatusOr<std::unique_ptr<deviceplugin::PluginClient>> SocketConnections::Plugin(const std::string& socket_path,
                                                                                      deviceplugin::PluginApi api) {
  return deviceplugin::ConnectPlugin({.files = files_, .log = log_}, socket_path, api,
                                     {.dial_timeout = absl::Seconds(3)});
}

absl::StatusOr<SocketReport> SocketConnections::Probe(const std::string& socket_path) {
  return ProbeSocket(socket_path);
}

absl::StatusOr<std::string> SocketConnections::Page(const std::string& address, int port, const std::string& path) {
  httplib::Client client(address, port);
  client.set_connection_timeout(kPageSeconds);
  client.set_read_timeout(kPageSeconds);
  std::string body;
  const httplib::Result result = client.Get(path, [&](const char* bytes, size_t count) {
    body.append(bytes, count);
    return body.size() <= kMostPageBytes;
  });
  const std::string where = absl::StrCat("http://", address, ":", port, path);
  if (!result) {
    return absl::UnavailableError(absl::StrCat(where, ": ", httplib::to_string(result.error())));
  }
  if (result->status != 200)
    return absl::UnavailableError(absl::StrCat(where, ": status ", result->status, ": ", body));
  return body;
}

}  // namespace kubelet_cm::cmctl
