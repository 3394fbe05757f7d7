// Which daemon is meant, and the way to it.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_DAEMON_CONNECTION_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_DAEMON_CONNECTION_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/cmctl/node/node_connections.h"
#include "tools/cmctl/tool_environment.h"

namespace kubelet_cm::cmctl {

// --endpoint and --root-dir, as they were given.
struct ConnectionFlags {
  std::string endpoint = {};
  std::string root_dir = {};
};

// A path, with or without "unix://", made absolute.
std::string SocketPathOf(const std::string& given, const ToolEnvironment& environment);

// The socket of the control API: --endpoint, or in --root-dir, or $KUBELET_CM_ENDPOINT, or in the folder that is the
// daemon's default. InvalidArgument when none of them says where.
absl::StatusOr<std::string> ControlSocket(const ConnectionFlags& flags, const ToolEnvironment& environment);

// The daemon's root folder, by the same flags.
absl::StatusOr<std::string> RootFolder(const ConnectionFlags& flags, const ToolEnvironment& environment);

// What a verb does with a daemon; returns the exit code.
using DaemonVerb = std::function<int(ControlClient& daemon)>;

// Runs `verb` with a daemon that has answered. Else one line on standard error, and kFailed or kUsage.
int WithDaemon(const ConnectionFlags& flags, const ToolEnvironment& environment, const DaemonVerb& verb);

// The daemon that answers there. The error is a whole line: `no kubelet_cm answers at PATH: ...`.
absl::StatusOr<std::unique_ptr<ControlClient>> OpenDaemon(const ConnectionFlags& flags,
                                                          const ToolEnvironment& environment);

// One line on standard error, "cmctl: SUBJECT: reason" (without a subject if it is empty), and the exit code for it.
int Complain(const ToolEnvironment& environment, const std::string& subject, const absl::Status& error);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_DAEMON_CONNECTION_H_
