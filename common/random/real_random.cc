#include "common/random/real_random.h"

namespace kubelet_cm {

uint64_t RealRandom::Uint64() {
  MutexLock lock(&mu_);
  return generator_();
}

}  // namespace kubelet_cm
