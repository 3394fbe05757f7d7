#include "checkpointmanager/checksum/fnv1a.h"

#include "checkpointmanager/checksum/fnv1a_wide.h"

namespace kubelet_cm {
namespace {

// kPrime * kPrimeInverse = 1 modulo 2^32.
constexpr uint32_t kPrimeInverse = 0x359c449b;
static_assert(Fnv1a32::kPrime * kPrimeInverse == 1);

}  // namespace

void Fnv1a32::Update(std::string_view bytes) {
  uint32_t state = state_;
  bytes.remove_prefix(UpdateFnv1aWide(state, bytes));
  for (const char byte : bytes) state = (state ^ static_cast<uint8_t>(byte)) * kPrime;
  state_ = state;
}

void Fnv1a32::Undo(std::string_view bytes) {
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) {
    state_ = (state_ * kPrimeInverse) ^ static_cast<uint8_t>(*byte);
  }
}

uint32_t Fnv1a(std::string_view bytes) {
  Fnv1a32 checksum;
  checksum.Update(bytes);
  return checksum.Value();
}

}  // namespace kubelet_cm
