// Whether sockets belong to somebody who is alive: a real kubelet on this node, whose devices must not be given out a
// second time.
#ifndef KUBELET_CM_KUBELET_CM_LIFE_LIVE_SOCKETS_H_
#define KUBELET_CM_KUBELET_CM_LIFE_LIVE_SOCKETS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace kubelet_cm::life {

// Whether somebody listens on the unix socket at `path`. Does not wait. A socket that a process left behind, and
// nothing at all, are nobody.
absl::StatusOr<bool> SomebodyListens(const std::string& path);

// kUnavailable, naming the socket, when somebody listens on one of them.
absl::Status CheckNobodyListens(const std::vector<std::string>& paths);

}  // namespace kubelet_cm::life

#endif  // KUBELET_CM_KUBELET_CM_LIFE_LIVE_SOCKETS_H_
