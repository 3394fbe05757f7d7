// Random: where random numbers come from. RealRandom (real_random.h) is seeded from the system, SeededRandom
// (seeded_random.h) gives the same numbers for the same seed, FakeRandom (fake_random.h) gives those of a list.
//
// Implementations are thread-safe. None is meant for secrets.
#ifndef KUBELET_CM_COMMON_RANDOM_RANDOM_H_
#define KUBELET_CM_COMMON_RANDOM_RANDOM_H_

#include <cstdint>

#include "absl/types/span.h"

namespace kubelet_cm {

class Random {
 public:
  virtual ~Random() = default;

  // Any of the 2^64 values, each as likely as another.
  virtual uint64_t Uint64() = 0;

  // One of 0 .. bound - 1, each as likely as another. `bound` is at least 1.
  uint64_t Below(uint64_t bound);

  // One of first .. last, both included, each as likely as another. `first` is at most `last`.
  int64_t Between(int64_t first, int64_t last);

  // Overwrites all of `bytes`. Eight bytes are one Uint64(), the lowest byte first.
  void Fill(absl::Span<uint8_t> bytes);
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_RANDOM_RANDOM_H_
