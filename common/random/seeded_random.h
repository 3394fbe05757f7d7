// SeededRandom: the same numbers for the same seed, in every run, on every machine, with every standard library.
//
// The engine is the 64-bit Mersenne Twister as the C++ standard defines it, number by number; what is derived from
// it (Below, Between, Fill) is Random's own. A test pins the sequence: seeds written down in reports stay valid.
#ifndef KUBELET_CM_COMMON_RANDOM_SEEDED_RANDOM_H_
#define KUBELET_CM_COMMON_RANDOM_SEEDED_RANDOM_H_

#include <cstdint>
#include <random>

#include "absl/base/thread_annotations.h"
#include "common/random/random.h"
#include "common/threads/mutex.h"

namespace kubelet_cm {

class SeededRandom : public Random {
 public:
  explicit SeededRandom(uint64_t seed);

  uint64_t Uint64() override;

 private:
  Mutex mu_;
  std::mt19937_64 engine_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_RANDOM_SEEDED_RANDOM_H_
