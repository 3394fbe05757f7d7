// CallOnce: one gRPC call with a time limit.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_UNARY_CALL_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_UNARY_CALL_H_

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/status/grpc_status.h"
#include "common/unixsocket/deadline.h"
#include "grpcpp/client_context.h"

namespace kubelet_cm::cmctl {

// For what the other side answers out of its memory.
inline constexpr absl::Duration kAnswerTime = absl::Seconds(10);
// For what it has to ask plugins for, one after another.
inline constexpr absl::Duration kWorkTime = absl::Minutes(10);

// `rpc(context, &response)` makes the call. Blocks; errors have the code and message of the other side.
template <typename Response, typename Rpc>
absl::StatusOr<Response> CallOnce(absl::Duration limit, Rpc rpc) {
  grpc::ClientContext context;
  context.set_deadline(DeadlineIn(limit));
  Response response;
  const grpc::Status status = rpc(&context, &response);
  if (!status.ok()) return FromGrpcStatus(status);
  return response;
}

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_UNARY_CALL_H_
