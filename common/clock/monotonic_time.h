// MonotonicTime: an instant on a clock that never jumps, counted from an arbitrary start. A type apart from absl::Time,
// so that neither can be taken for the other: deadlines and periods are monotonic, dates that people read are not.
//
// Two instants of one Clock can be compared and subtracted; an instant means nothing to another process.
#ifndef KUBELET_CM_COMMON_CLOCK_MONOTONIC_TIME_H_
#define KUBELET_CM_COMMON_CLOCK_MONOTONIC_TIME_H_

#include <ostream>

#include "absl/time/time.h"

namespace kubelet_cm {

class MonotonicTime {
 public:
  // The clock's start.
  constexpr MonotonicTime() = default;
  static constexpr MonotonicTime FromStart(absl::Duration since_start) { return MonotonicTime(since_start); }
  // Later than every other instant: the deadline of what may take for ever.
  static constexpr MonotonicTime InfiniteFuture() { return MonotonicTime(absl::InfiniteDuration()); }

  constexpr absl::Duration since_start() const { return since_start_; }

  // Saturate: InfiniteFuture() plus or minus anything stays what it is.
  friend MonotonicTime operator+(MonotonicTime time, absl::Duration d) { return MonotonicTime(time.since_start_ + d); }
  friend MonotonicTime operator-(MonotonicTime time, absl::Duration d) { return MonotonicTime(time.since_start_ - d); }
  friend absl::Duration operator-(MonotonicTime a, MonotonicTime b) { return a.since_start_ - b.since_start_; }

  friend constexpr bool operator==(MonotonicTime a, MonotonicTime b) { return a.since_start_ == b.since_start_; }
  friend constexpr bool operator!=(MonotonicTime a, MonotonicTime b) { return !(a == b); }
  friend constexpr bool operator<(MonotonicTime a, MonotonicTime b) { return a.since_start_ < b.since_start_; }
  friend constexpr bool operator>(MonotonicTime a, MonotonicTime b) { return b < a; }
  friend constexpr bool operator<=(MonotonicTime a, MonotonicTime b) { return !(b < a); }
  friend constexpr bool operator>=(MonotonicTime a, MonotonicTime b) { return !(a < b); }

  friend std::ostream& operator<<(std::ostream& os, MonotonicTime time) { return os << "start+" << time.since_start_; }

 private:
  explicit constexpr MonotonicTime(absl::Duration since_start) : since_start_(since_start) {}

  absl::Duration since_start_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_CLOCK_MONOTONIC_TIME_H_
