// Durations as Go writes and reads them: "300ms", "1m30s", "1.5h". Pure functions.
#ifndef KUBELET_CM_KUBELET_CM_CONFIG_GO_DURATION_H_
#define KUBELET_CM_KUBELET_CM_CONFIG_GO_DURATION_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace kubelet_cm::config {

// kInvalidArgument with Go's text for what time.ParseDuration does not take, longer than 292 years included.
absl::StatusOr<absl::Duration> ParseGoDuration(std::string_view text);

// As Go's Duration.String: "1m0s", "1.5s", "20ms", "0s".
std::string GoDurationText(absl::Duration duration);

}  // namespace kubelet_cm::config

#endif  // KUBELET_CM_KUBELET_CM_CONFIG_GO_DURATION_H_
