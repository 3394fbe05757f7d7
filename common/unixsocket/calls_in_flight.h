// CallsInFlight: the gRPC calls that a client has open, so that all of them can be cancelled at once. Thread-safe.
#ifndef KUBELET_CM_COMMON_UNIXSOCKET_CALLS_IN_FLIGHT_H_
#define KUBELET_CM_COMMON_UNIXSOCKET_CALLS_IN_FLIGHT_H_

#include <memory>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/status/grpc_status.h"
#include "common/threads/mutex.h"
#include "grpcpp/client_context.h"
#include "grpcpp/support/status.h"

namespace kubelet_cm {

class CallsInFlight {
 public:
  using Context = std::shared_ptr<grpc::ClientContext>;

  // The context of one call, which is in flight while the caller holds it. kCancelled after CancelAll.
  absl::StatusOr<Context> Begin(absl::Duration timeout);

  // Calls in flight end soon with kCancelled, later ones do not begin. Does not wait.
  void CancelAll();

  // Makes one call: `rpc(context, &response)` blocks until it is answered, the time is over or all is cancelled.
  template <typename Response, typename Rpc>
  absl::StatusOr<Response> Unary(absl::Duration timeout, Rpc rpc) {
    absl::StatusOr<Context> context = Begin(timeout);
    if (!context.ok()) return context.status();
    Response response;
    const grpc::Status status = rpc(context->get(), &response);
    if (!status.ok()) return FromGrpcStatus(status);
    return response;
  }

 private:
  Mutex mu_;
  bool cancelled_ ABSL_GUARDED_BY(mu_) = false;
  std::vector<std::weak_ptr<grpc::ClientContext>> contexts_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_UNIXSOCKET_CALLS_IN_FLIGHT_H_
