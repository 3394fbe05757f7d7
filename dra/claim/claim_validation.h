// Whether a ResourceClaim that somebody sent is one that the API server could hold: names that keep apart what they
// name, and no more of anything than there can be.
//
// Pure functions.
#ifndef KUBELET_CM_DRA_CLAIM_CLAIM_VALIDATION_H_
#define KUBELET_CM_DRA_CLAIM_CLAIM_VALIDATION_H_

#include <cstddef>
#include <string_view>

#include "absl/status/status.h"
#include "dra/claim/claim_object.h"

namespace kubelet_cm::dra {

// The API server allows 32 results and handles and 256 reservations; leave room for what it may allow one day.
inline constexpr size_t kMaxResults = 1024;
inline constexpr size_t kMaxReservations = 8192;
inline constexpr size_t kMaxSkippedOperations = 64;
// Of uids, pools, devices and the like.
inline constexpr size_t kMaxNameSize = 253;

// RFC 1123: labels of lower case letters, digits and dashes, with dots between; at most 253 characters. A label: 63.
bool IsDnsSubdomain(std::string_view name);
bool IsDnsLabel(std::string_view name);

// InvalidArgument that names the field, as in "status.allocation.devices.results[2].driver".
absl::Status ValidateClaim(const ClaimObject& claim);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_CLAIM_VALIDATION_H_
