// gRPC channels to unix sockets: the client's end.
//
//   ASSIGN_OR_RETURN(std::shared_ptr<grpc::Channel> channel, DialUnixSocket(path, {.timeout = absl::Seconds(10)}));
//
// Each channel has a connection of its own (gRPC's process-wide pool of them is not used), so that dialling a socket
// that was made again never finds the old one. The :authority is "localhost", as the kubelet's is. For any thread.
#ifndef KUBELET_CM_COMMON_UNIXSOCKET_CHANNEL_H_
#define KUBELET_CM_COMMON_UNIXSOCKET_CHANNEL_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "grpcpp/channel.h"

namespace kubelet_cm {

struct DialOptions {
  absl::Duration timeout = absl::Seconds(10);
  int max_receive_bytes = 4 << 20;  // a longer answer fails with ResourceExhausted
  int max_send_bytes = -1;          // unlimited
};

// A channel that is connected: blocks until a gRPC server has answered there, and tries again until then, also while
// there is no socket yet. kDeadlineExceeded after `options.timeout`.
absl::StatusOr<std::shared_ptr<grpc::Channel>> DialUnixSocket(const std::string& path, const DialOptions& options = {});

// A channel that connects when it is used first; `options.timeout` plays no part.
absl::StatusOr<std::shared_ptr<grpc::Channel>> UnixSocketChannel(const std::string& path,
                                                                 const DialOptions& options = {});

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_UNIXSOCKET_CHANNEL_H_
