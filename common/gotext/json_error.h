// Errors about a JSON text: an absl::Status with Go's text as its message and the place in the text as a payload.
//
// Pure functions.
#ifndef KUBELET_CM_COMMON_GOTEXT_JSON_ERROR_H_
#define KUBELET_CM_COMMON_GOTEXT_JSON_ERROR_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/status/status.h"

namespace kubelet_cm {

// InvalidArgument with `message`; `offset` as Go counts it: how many bytes had been read.
absl::Status JsonError(std::string_view message, int64_t offset);

// The offset of an error that JsonError made; nothing for other statuses.
std::optional<int64_t> JsonErrorOffset(const absl::Status& status);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_GOTEXT_JSON_ERROR_H_
