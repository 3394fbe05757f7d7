#include "common/random/seeded_random.h"

namespace kubelet_cm {

SeededRandom::SeededRandom(uint64_t seed) : engine_(seed) {}

uint64_t SeededRandom::Uint64() {
  MutexLock lock(&mu_);
  return engine_();
}

}  // namespace kubelet_cm
