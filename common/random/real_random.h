// RealRandom: random numbers that differ from run to run; the generator is seeded from the system.
#ifndef KUBELET_CM_COMMON_RANDOM_REAL_RANDOM_H_
#define KUBELET_CM_COMMON_RANDOM_REAL_RANDOM_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/random/random.h"
#include "common/random/random.h"
#include "common/threads/mutex.h"

namespace kubelet_cm {

class RealRandom : public Random {
 public:
  RealRandom() = default;

  uint64_t Uint64() override;

 private:
  Mutex mu_;
  absl::BitGen generator_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_RANDOM_REAL_RANDOM_H_
