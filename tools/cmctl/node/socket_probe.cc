#include "tools/cmctl/node/socket_probe.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/pluginregistration/pluginregistration.grpc.pb.h"
#include "common/status/grpc_status.h"
#include "common/status/status_macros.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/deadline.h"
#include "deviceplugin/api/legacy_messages.h"
#include "deviceplugin/api/v1alpha.grpc.pb.h"
#include "deviceplugin/api/v1beta1.grpc.pb.h"
#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/grpcpp.h"
#include "tools/cmctl/node/unary_call.h"

namespace kubelet_cm::cmctl {
namespace {

constexpr absl::Duration kDialTime = absl::Seconds(3);
constexpr absl::Duration kQuestionTime = absl::Seconds(5);
constexpr int kMostReceived = 16 << 20;  // as much as a kubelet takes

constexpr char kRegistration[] = "pluginregistration.Registration";
constexpr char kDevicePlugin[] = "v1beta1.DevicePlugin";
constexpr char kOldDevicePlugin[] = "deviceplugin.DevicePlugin";

struct Candidate {
  const char* service;
  const char* method;
  const char* meaning;
  bool reads_only = false;  // it may be asked in earnest
};

// What a socket on a node may serve. The order is that of the report.
constexpr Candidate kCandidates[] = {
    {kRegistration, "GetInfo", "a plugin that is found in plugins_registry", true},
    {kDevicePlugin, "Allocate", "device plugin"},
    {kOldDevicePlugin, "Allocate", "device plugin of Kubernetes 1.8 or 1.9"},
    {"k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin", "NodePrepareResources", "DRA driver, v1"},
    {"k8s.io.kubelet.pkg.apis.dra.v1beta1.DRAPlugin", "NodePrepareResources", "DRA driver, v1beta1"},
    {"v1alpha3.Node", "NodePrepareResources", "DRA driver, v1alpha3"},
    {"v1alpha2.Node", "NodePrepareResource", "DRA driver, v1alpha2"},
    {"v1alpha1.Node", "NodePrepareResource", "DRA driver, v1alpha1"},
    {"v1.DRAResourceHealth", "NodeWatchResources", "health of DRA devices, v1"},
    {"v1alpha1.DRAResourceHealth", "NodeWatchResources", "health of DRA devices, v1alpha1"},
    {"v1beta1.Registration", "Register", "where device plugins register, in a kubelet or this project's daemon"},
    {"deviceplugin.Registration", "Register", "where device plugins of Kubernetes 1.8 and 1.9 register"},
    {"v1.PodResourcesLister", "List", "podresources API, v1", true},
    {"v1alpha1.PodResourcesLister", "List", "podresources API, v1alpha1", true},
    {"kubeletcm.v1.Control", "Version", "control API of kubelet_cm", true},
    {"csi.v1.Identity", "GetPluginInfo", "CSI driver", true},
    {"grpc.health.v1.Health", "Check", "gRPC health checks", true},
};

// For what reads only the empty request; else a field of 127 bytes that ends after its length: no message of any type.
grpc::ByteBuffer RequestFor(const Candidate& candidate) {
  const grpc::Slice bytes("\x0a\x7f", candidate.reads_only ? 0 : 2);
  return {&bytes, 1};
}

// How the server answers a request.
grpc::Status Ask(grpc::GenericStub& stub, const std::string& method, const grpc::ByteBuffer& request) {
  grpc::ClientContext context;
  context.set_deadline(DeadlineIn(kQuestionTime));
  grpc::CompletionQueue queue;
  grpc::ByteBuffer response;
  grpc::Status status;
  const auto call = stub.PrepareUnaryCall(&context, method, request, &queue);
  call->StartCall();
  call->Finish(&response, &status, &status);
  void* tag = nullptr;
  bool ok = false;
  queue.Next(&tag, &ok);
  queue.Shutdown();
  while (queue.Next(&tag, &ok)) {
  }
  return status;
}

// The first message of a stream that `start(context)` opens.
template <typename Message, typename Open>
absl::StatusOr<Message> FirstMessage(Open start) {
  grpc::ClientContext context;
  context.set_deadline(DeadlineIn(kQuestionTime));
  const std::unique_ptr<grpc::ClientReader<Message>> reader = start(&context);
  Message first;
  const bool read = reader->Read(&first);
  context.TryCancel();
  Message more;
  while (reader->Read(&more)) {
  }
  const grpc::Status end = reader->Finish();
  if (read) return first;
  return end.ok() ? absl::OutOfRangeError("the plugin ended the stream without a list of devices")
                  : FromGrpcStatus(end);
}

class Prober {
 public:
  explicit Prober(std::shared_ptr<grpc::Channel> channel) : channel_(std::move(channel)) {}

  SocketReport Run() {
    grpc::GenericStub stub(channel_);
    for (const Candidate& candidate : kCandidates) {
      const grpc::Status answer =
          Ask(stub, absl::StrCat("/", candidate.service, "/", candidate.method), RequestFor(candidate));
      if (answer.error_code() == grpc::StatusCode::UNIMPLEMENTED) continue;
      if (answer.error_code() == grpc::StatusCode::UNAVAILABLE ||
          answer.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED) {
        report_.problems.push_back(absl::StrCat(candidate.service, ": ", answer.error_message()));
        continue;
      }
      report_.services.push_back({.name = candidate.service, .meaning = candidate.meaning});
      AskMore(candidate.service);
    }
    return std::move(report_);
  }

 private:
  void AskMore(const std::string& service) {
    if (service == kRegistration) AskInfo();
    if (service == kDevicePlugin) AskDevicePlugin();
    if (service == kOldDevicePlugin) AskOldDevicePlugin();
  }

  void AskInfo() {
    const auto stub = ::pluginregistration::Registration::NewStub(channel_);
    Keep("GetInfo",
         CallOnce<::pluginregistration::PluginInfo>(
             kQuestionTime, [&](auto* context, auto* response) { return stub->GetInfo(context, {}, response); }),
         &report_.registration);
  }

  void AskDevicePlugin() {
    const auto stub = ::v1beta1::DevicePlugin::NewStub(channel_);
    Keep("GetDevicePluginOptions",
         CallOnce<::v1beta1::DevicePluginOptions>(
             kQuestionTime,
             [&](auto* context, auto* response) { return stub->GetDevicePluginOptions(context, {}, response); }),
         &report_.options);
    Keep("ListAndWatch",
         FirstMessage<::v1beta1::ListAndWatchResponse>([&](auto* context) { return stub->ListAndWatch(context, {}); }),
         &report_.devices);
  }

  void AskOldDevicePlugin() {
    const auto stub = ::deviceplugin::DevicePlugin::NewStub(channel_);
    const auto list = FirstMessage<::deviceplugin::ListAndWatchResponse>(
        [&](auto* context) { return stub->ListAndWatch(context, {}); });
    Keep("ListAndWatch",
         list.ok() ? absl::StatusOr<::v1beta1::ListAndWatchResponse>(deviceplugin::FromLegacyList(*list))
                   : list.status(),
         &report_.devices);
  }

  template <typename Answer>
  void Keep(const char* question, absl::StatusOr<Answer> answer, std::optional<Answer>* place) {
    if (answer.ok()) {
      *place = *std::move(answer);
    } else {
      report_.problems.push_back(absl::StrCat(question, ": ", GoRpcErrorText(answer.status())));
    }
  }

  const std::shared_ptr<grpc::Channel> channel_;
  SocketReport report_;
};

}  // namespace

absl::StatusOr<SocketReport> ProbeSocket(const std::string& socket_path) {
  const absl::StatusOr<std::shared_ptr<grpc::Channel>> channel =
      DialUnixSocket(socket_path, {.timeout = kDialTime, .max_receive_bytes = kMostReceived});
  if (absl::IsDeadlineExceeded(channel.status())) return absl::UnavailableError("nobody speaks gRPC there");
  RETURN_IF_ERROR(channel.status());
  return Prober(*channel).Run();
}

}  // namespace kubelet_cm::cmctl
