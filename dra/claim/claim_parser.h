// ResourceClaims as JSON, of every version of resource.k8s.io that there was, as the API server or a manifest has them.
//
// What comes is bounded and validated (claim_validation.h); errors name the object and the field.
//
// Pure functions.
#ifndef KUBELET_CM_DRA_CLAIM_CLAIM_PARSER_H_
#define KUBELET_CM_DRA_CLAIM_CLAIM_PARSER_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "common/gotext/json_document.h"
#include "dra/claim/claim_object.h"

namespace kubelet_cm::dra {

// More than etcd takes for an object.
inline constexpr size_t kMaxClaimText = size_t{4} << 20;
inline constexpr size_t kMaxClaimListText = size_t{256} << 20;
inline constexpr size_t kMaxClaims = 100'000;

// A ResourceClaim.
absl::StatusOr<ClaimObject> ParseClaim(std::string_view json);
absl::StatusOr<ClaimObject> ParseClaim(JsonValue object);

// The claims of a ResourceClaimList, whose items need no kind and version of their own, or of a List; or one claim.
absl::StatusOr<std::vector<ClaimObject>> ParseClaims(std::string_view json);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_CLAIM_PARSER_H_
