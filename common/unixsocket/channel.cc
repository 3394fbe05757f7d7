#include "common/unixsocket/channel.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "common/unixsocket/deadline.h"
#include "common/unixsocket/grpc_lifetime.h"
#include "common/unixsocket/socket_path.h"
#include "grpc/impl/codegen/grpc_types.h"
#include "grpcpp/create_channel.h"
#include "grpcpp/security/credentials.h"
#include "grpcpp/support/channel_arguments.h"

namespace kubelet_cm {
namespace {

// How long after a failed attempt to connect the next one is made. On a unix socket an attempt costs next to nothing.
constexpr int kFirstBackoffMs = 100;
constexpr int kLongestBackoffMs = 1000;

grpc::ChannelArguments Arguments(const DialOptions& options) {
  grpc::ChannelArguments arguments;
  arguments.SetString(GRPC_ARG_DEFAULT_AUTHORITY, "localhost");
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kFirstBackoffMs);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kLongestBackoffMs);
  arguments.SetMaxReceiveMessageSize(options.max_receive_bytes);
  arguments.SetMaxSendMessageSize(options.max_send_bytes);
  return arguments;
}

}  // namespace

absl::StatusOr<std::shared_ptr<grpc::Channel>> UnixSocketChannel(const std::string& path, const DialOptions& options) {
  RETURN_IF_ERROR(CheckSocketPath(path));
  KeepGrpc();
  return grpc::CreateCustomChannel(SocketAddress(path), grpc::InsecureChannelCredentials(), Arguments(options));
}

absl::StatusOr<std::shared_ptr<grpc::Channel>> DialUnixSocket(const std::string& path, const DialOptions& options) {
  ASSIGN_OR_RETURN(std::shared_ptr<grpc::Channel> channel, UnixSocketChannel(path, options));
  if (!channel->WaitForConnected(DeadlineIn(options.timeout))) {
    return absl::DeadlineExceededError(absl::StrCat("dial unix socket ", path, ": context deadline exceeded"));
  }
  return channel;
}

}  // namespace kubelet_cm
