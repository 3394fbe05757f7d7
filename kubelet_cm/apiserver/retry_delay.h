// RetryDelay: how long to wait before a request is tried again: 0.8 s at first, twice as long after each failure, 30 s
// at most, and up to as much again by chance, so that nodes whose API server comes back do not all ask at once. What
// upstream's reflectors do. A plain value.
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_RETRY_DELAY_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_RETRY_DELAY_H_

#include <algorithm>
#include <cstdint>

#include "absl/time/time.h"
#include "common/random/random.h"

namespace kubelet_cm::apiserver {

class RetryDelay {
 public:
  static constexpr absl::Duration kFirst = absl::Milliseconds(800);
  static constexpr absl::Duration kLongest = absl::Seconds(30);

  absl::Duration Next(Random& random) {
    const absl::Duration delay = next_;
    next_ = std::min(2 * next_, kLongest);
    return delay + absl::Milliseconds(random.Between(0, absl::ToInt64Milliseconds(delay)));
  }
  // It has worked.
  void Reset() { next_ = kFirst; }

 private:
  absl::Duration next_ = kFirst;
};

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_RETRY_DELAY_H_
