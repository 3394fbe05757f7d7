#include "common/random/random.h"

#include <cstddef>

#include "common/status/check.h"

namespace kubelet_cm {

uint64_t Random::Below(uint64_t bound) {
  CHECK(bound > 0) << "no number is below 0";
  // 2^64 mod bound values are too many for all remainders to be equally likely: draw again on the first of them. The
  // standard library's distributions would do, but each library draws its own numbers.
  const uint64_t excess = (0 - bound) % bound;
  uint64_t drawn = Uint64();
  while (drawn < excess) drawn = Uint64();
  return drawn % bound;
}

int64_t Random::Between(int64_t first, int64_t last) {
  CHECK(first <= last) << first << " .. " << last << " is empty";
  const uint64_t span = static_cast<uint64_t>(last) - static_cast<uint64_t>(first);
  const uint64_t offset = span == UINT64_MAX ? Uint64() : Below(span + 1);
  return static_cast<int64_t>(static_cast<uint64_t>(first) + offset);
}

void Random::Fill(absl::Span<uint8_t> bytes) {
  uint64_t drawn = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i % 8 == 0) drawn = Uint64();
    bytes[i] = static_cast<uint8_t>(drawn);
    drawn >>= 8;
  }
}

}  // namespace kubelet_cm
