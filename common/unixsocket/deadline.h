// gRPC's deadlines out of durations, by gRPC's own clock: the one wait that does not go by an injected one.
#ifndef KUBELET_CM_COMMON_UNIXSOCKET_DEADLINE_H_
#define KUBELET_CM_COMMON_UNIXSOCKET_DEADLINE_H_

#include "absl/time/time.h"
#include "grpc/support/time.h"

namespace kubelet_cm {

// `limit` from now; never, for absl::InfiniteDuration(). For grpc::ClientContext::set_deadline and the like.
gpr_timespec DeadlineIn(absl::Duration limit);

// How far ahead `deadline` lies; 0 when it is over. For several calls that share a limit.
absl::Duration TimeUntil(gpr_timespec deadline);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_UNIXSOCKET_DEADLINE_H_
