#include "kubelet_cm/podresources/token_bucket.h"

#include <algorithm>

#include "absl/time/time.h"

namespace kubelet_cm::podresources {

bool TokenBucket::Take(MonotonicTime now) {
  tokens_ = std::min(burst_, tokens_ + absl::ToDoubleSeconds(now - filled_) * per_second_);
  filled_ = now;
  if (tokens_ < 1) return false;
  tokens_ -= 1;
  return true;
}

}  // namespace kubelet_cm::podresources
