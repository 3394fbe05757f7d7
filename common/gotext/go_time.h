// Points in time as Go's encoding/json writes and reads a time.Time: RFC 3339 with up to nine decimals.
//
// Pure functions.
#ifndef KUBELET_CM_COMMON_GOTEXT_GO_TIME_H_
#define KUBELET_CM_COMMON_GOTEXT_GO_TIME_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/time/time.h"

namespace kubelet_cm {

// Go's zero time, which it writes for a time that was never set.
inline constexpr std::string_view kGoZeroTime = "0001-01-01T00:00:00Z";

// Nothing for what Go's time.Time would not take out of a JSON string. Decimals beyond the ninth are left out.
std::optional<absl::Time> ParseGoTime(std::string_view text);

// In UTC, without needless decimals: "2026-08-01T09:30:00.25Z".
std::string FormatGoTime(absl::Time time);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_GOTEXT_GO_TIME_H_
