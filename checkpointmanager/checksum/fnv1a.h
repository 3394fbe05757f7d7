// FNV-1a, 32 bit: the checksum of every kubelet checkpoint that is hashed through its Go dump.
//
// A plain value; any thread may use its own. The result depends on the bytes alone, not on how they were cut
// into calls.
#ifndef KUBELET_CM_CHECKPOINTMANAGER_CHECKSUM_FNV1A_H_
#define KUBELET_CM_CHECKPOINTMANAGER_CHECKSUM_FNV1A_H_

#include <cstdint>
#include <string_view>

namespace kubelet_cm {

class Fnv1a32 {
 public:
  static constexpr uint32_t kOffsetBasis = 2166136261u;
  static constexpr uint32_t kPrime = 16777619u;

  // A new checksum, or one that goes on from the Value() of an earlier one.
  explicit Fnv1a32(uint32_t state = kOffsetBasis) : state_(state) {}

  void Update(std::string_view bytes);

  // Takes back the bytes hashed last: Update(x) and then Undo(x) changes nothing. Every step can be reversed.
  void Undo(std::string_view bytes);

  uint32_t Value() const { return state_; }

 private:
  uint32_t state_;
};

// The checksum of `bytes` alone.
uint32_t Fnv1a(std::string_view bytes);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_CHECKPOINTMANAGER_CHECKSUM_FNV1A_H_
