// ProbeSocket: finds out what serves a unix socket.
//
// Methods that act are asked with requests that cannot be decoded: a server that has the method says so before its own
// code runs, one that has not says Unimplemented (and so does one by gRPC's C++ callbacks, which is not found then).
// Methods that only read are asked in earnest, and so is the first message of a device plugin's ListAndWatch, which is
// then cancelled.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_SOCKET_PROBE_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_SOCKET_PROBE_H_

#include <string>

#include "absl/status/statusor.h"
#include "tools/cmctl/node/socket_report.h"

namespace kubelet_cm::cmctl {

// Blocks, for some seconds if nobody answers: kUnavailable. For any thread.
absl::StatusOr<SocketReport> ProbeSocket(const std::string& socket_path);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_SOCKET_PROBE_H_
