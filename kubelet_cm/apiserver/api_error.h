// What an API server refuses, as absl::Status.
//
// Pure functions.
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_API_ERROR_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_API_ERROR_H_

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "common/gotext/json_document.h"

namespace kubelet_cm::apiserver {

// For an answer whose code is no success: the server's own words where it sent a Status object, else those that
// Kubernetes' clients have for the code. `what` says what was asked: "GET /api/v1/nodes/n".
//
// 401 is kUnauthenticated, 403 kPermissionDenied, 404 kNotFound, 409 kAborted, 410 kOutOfRange; 429 and all from 500
// are kUnavailable.
absl::Status ApiError(std::string_view what, int code, std::string_view body);
// For a Status object that came in a watch.
absl::Status ApiError(JsonValue json);

// The HTTP code of such an error; nothing for others, those of the transport among them.
std::optional<int> HttpCodeOf(const absl::Status& error);

// Whether the server does not know the path at all, rather than an object: it does not have that version of the API.
bool IsUnknownPath(const absl::Status& error);

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_API_ERROR_H_
