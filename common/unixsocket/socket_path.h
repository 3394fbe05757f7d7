// What may be the path of a unix socket, and how gRPC is told it. Pure functions.
#ifndef KUBELET_CM_COMMON_UNIXSOCKET_SOCKET_PATH_H_
#define KUBELET_CM_COMMON_UNIXSOCKET_SOCKET_PATH_H_

#include <string>

#include "absl/status/status.h"

namespace kubelet_cm {

// The longest path that the system takes, in bytes; sun_path has room for its closing NUL besides.
inline constexpr size_t kMaxSocketPath = 107;

// kInvalidArgument, naming path and length, when it is too long for a socket, not absolute, or has a NUL in it.
absl::Status CheckSocketPath(const std::string& path);

// The gRPC address of `path`: "unix:" and the path, percent-encoded as gRPC's names are.
std::string SocketAddress(const std::string& path);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_UNIXSOCKET_SOCKET_PATH_H_
