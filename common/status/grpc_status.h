// absl::Status and grpc::Status, each from the other, and the two shapes in which Go programs show RPC errors.
//
// Pure functions, for any thread.
#ifndef KUBELET_CM_COMMON_STATUS_GRPC_STATUS_H_
#define KUBELET_CM_COMMON_STATUS_GRPC_STATUS_H_

#include <string>

#include "absl/status/status.h"
#include "grpcpp/support/status.h"

namespace kubelet_cm {

// The same code and message. A number that is no code becomes kUnknown. Details do not cross over.
absl::Status FromGrpcStatus(const grpc::Status& status);

// The same code and message, for servers whose callers tell errors apart by code.
grpc::Status ToGrpcStatus(const absl::Status& status);

// What a gRPC-Go handler that returns a plain error answers, as the kubelet's do: code Unknown with the message alone.
grpc::Status ToUnknownGrpcStatus(const absl::Status& status);

// gRPC-Go's name of a code: "DeadlineExceeded", "Canceled".
std::string GoCodeName(absl::StatusCode code);

// How gRPC-Go words an error that came from a peer: `rpc error: code = Unimplemented desc = unknown service x`. For
// messages that people look for as the kubelet words them. Empty when `status` is OK.
std::string GoRpcErrorText(const absl::Status& status);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_STATUS_GRPC_STATUS_H_
