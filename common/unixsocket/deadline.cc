#include "common/unixsocket/deadline.h"

#include <algorithm>
#include <cstdint>

namespace kubelet_cm {

gpr_timespec DeadlineIn(absl::Duration limit) {
  if (limit == absl::InfiniteDuration()) return gpr_inf_future(GPR_CLOCK_MONOTONIC);
  const int64_t nanos = absl::ToInt64Nanoseconds(std::max(limit, absl::ZeroDuration()));
  return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC), gpr_time_from_nanos(nanos, GPR_TIMESPAN));
}

absl::Duration TimeUntil(gpr_timespec deadline) {
  if (gpr_time_cmp(deadline, gpr_inf_future(deadline.clock_type)) == 0) return absl::InfiniteDuration();
  const gpr_timespec left = gpr_time_sub(deadline, gpr_now(deadline.clock_type));
  return std::max(absl::Seconds(left.tv_sec) + absl::Nanoseconds(left.tv_nsec), absl::ZeroDuration());
}

}  // namespace kubelet_cm
