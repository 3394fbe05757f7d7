// Decodes the JSON of one ResourceClaim, of a given version of resource.k8s.io, by the rules of Go's
// encoding/json.
//
//   v1alpha1                 1.26           allocation.resourceHandle
//   v1alpha2                 1.27 to 1.30   allocation.resourceHandles
//   v1alpha3, v1beta1,       1.31 on        allocation.devices.results
//   v1beta2, v1
#ifndef KUBELET_CM_DRA_CLAIM_CLAIM_DECODER_H_
#define KUBELET_CM_DRA_CLAIM_CLAIM_DECODER_H_

#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "common/gotext/json_document.h"
#include "dra/claim/claim_object.h"

namespace kubelet_cm::dra {

enum class ClaimApi { kHandle, kHandles, kResults };

// Nothing for a version that is not known.
std::optional<ClaimApi> ClaimApiOf(std::string_view version);

// Go's error if a value has the wrong type. What the version does not know is left out.
absl::StatusOr<ClaimObject> DecodeClaimObject(JsonValue object, ClaimApi api);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_CLAIM_DECODER_H_
