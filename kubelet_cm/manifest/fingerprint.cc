#include "kubelet_cm/manifest/fingerprint.h"

#include "absl/numeric/int128.h"
#include "absl/strings/str_cat.h"

namespace kubelet_cm {

std::string Fingerprint(std::string_view text) {
  constexpr absl::uint128 kPrime = absl::MakeUint128(uint64_t{1} << 24, 0x13b);
  absl::uint128 sum = absl::MakeUint128(0x6c62272e07bb0142, 0x62b821756295c58d);
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * kPrime;
  return absl::StrCat(absl::Hex(absl::Uint128High64(sum), absl::kZeroPad16),
                      absl::Hex(absl::Uint128Low64(sum), absl::kZeroPad16));
}

}  // namespace kubelet_cm
