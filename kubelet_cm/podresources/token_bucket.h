// TokenBucket: so many calls a second, and a few more at once. Value code; times are given.
#ifndef KUBELET_CM_KUBELET_CM_PODRESOURCES_TOKEN_BUCKET_H_
#define KUBELET_CM_KUBELET_CM_PODRESOURCES_TOKEN_BUCKET_H_

#include "common/clock/monotonic_time.h"

namespace kubelet_cm::podresources {

class TokenBucket {
 public:
  // Full at first. `per_second` and `burst`, how much it holds, are positive.
  TokenBucket(double per_second, int burst, MonotonicTime now)
      : per_second_(per_second), burst_(burst), tokens_(burst), filled_(now) {}

  // Takes one, if there is one. Times do not go back.
  bool Take(MonotonicTime now);

 private:
  const double per_second_;
  const double burst_;
  double tokens_;
  MonotonicTime filled_;
};

}  // namespace kubelet_cm::podresources

#endif  // KUBELET_CM_KUBELET_CM_PODRESOURCES_TOKEN_BUCKET_H_
