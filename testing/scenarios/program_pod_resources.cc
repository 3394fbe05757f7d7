#include "testing/scenarios/program_pod_resources.h"

#include "common/status/grpc_status.h"
#include "common/status/status_macros.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/deadline.h"
#include "grpcpp/client_context.h"
#include "kubelet_cm/podresources/api/v1.grpc.pb.h"

namespace kubelet_cm::scenarios {
namespace {

using Stub = ::v1::PodResourcesLister::Stub;

constexpr absl::Duration kCallLimit = absl::Seconds(30);
constexpr int kMaxAnswerBytes = 64 << 20;

template <typename Request, typename Response>
absl::StatusOr<Response> Ask(const std::string& socket,
                             grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                             const Request& request) {
  ASSIGN_OR_RETURN(const auto channel,
                   DialUnixSocket(socket, {.timeout = kCallLimit, .max_receive_bytes = kMaxAnswerBytes}));
  grpc::ClientContext context;
  context.set_deadline(DeadlineIn(kCallLimit));
  Response response;
  RETURN_IF_ERROR(FromGrpcStatus((Stub(channel).*method)(&context, request, &response)));
  return response;
}

}  // namespace

absl::StatusOr<::v1::ListPodResourcesResponse> AskForList(const std::string& socket) {
  return Ask(socket, &Stub::List, ::v1::ListPodResourcesRequest());
}

absl::StatusOr<int> CountRefusedLists(const std::string& socket, int calls) {
  int refused = 0;
  for (int i = 0; i < calls; ++i) {
    const absl::Status listed = AskForList(socket).status();
    if (absl::IsResourceExhausted(listed)) {
      ++refused;
    } else if (!listed.ok()) {
      return listed;
    }
  }
  return refused;
}

absl::StatusOr<::v1::GetPodResourcesResponse> AskForPod(const std::string& socket, const std::string& pod) {
  ::v1::GetPodResourcesRequest request;
  request.set_pod_namespace("default");
  request.set_pod_name(pod);
  return Ask(socket, &Stub::Get, request);
}

absl::StatusOr<::v1::AllocatableResourcesResponse> AskForAllocatable(const std::string& socket) {
  return Ask(socket, &Stub::GetAllocatableResources, ::v1::AllocatableResourcesRequest());
}

}  // namespace kubelet_cm::scenarios
