// Go's strconv.ParseInt and ParseUint for base 10 and 64 bits: digits only, a sign only where Go takes one, an error
// for what does not fit.
//
// Pure functions.
#ifndef KUBELET_CM_COMMON_GOTEXT_GO_NUMBER_H_
#define KUBELET_CM_COMMON_GOTEXT_GO_NUMBER_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace kubelet_cm {

// An optional + or -, then digits.
std::optional<int64_t> ParseGoInt(std::string_view text);

// Digits; no sign, so "-0" is none.
std::optional<uint64_t> ParseGoUint(std::string_view text);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_GOTEXT_GO_NUMBER_H_
