#include "common/unixsocket/deadline.h"

#include <algorithm>
#include <cstdint>

namespace kubelet_cm {

gpr_timespec DeadlineIn(absl::Duration limit) {
  if (limit == absl::InfiniteDuration()) return gpr_inf_future(GPR_CLOCK_MONOTONIC);
  const int64_t nanos = absl::ToInt64Nanoseconds(std::max(limit, absl::ZeroDuration()));
  return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_nanos(nanos, GPR_TIMESPAN));
}

}  // namespace kubelet_cm
