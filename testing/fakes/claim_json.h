// ResourceClaims as an API server writes them, in a version of resource.k8s.io since v1alpha2: that one has handles,
// the others, which are alike in all that the DRA manager reads, have results.
//
// A pure function.
#ifndef KUBELET_CM_TESTING_FAKES_CLAIM_JSON_H_
#define KUBELET_CM_TESTING_FAKES_CLAIM_JSON_H_

#include <cstdint>
#include <string>

#include "common/gotext/json_writer.h"
#include "dra/claim/claim_object.h"

namespace kubelet_cm::fakes {

// The claim as one value; `api_version` is "resource.k8s.io/v1" or the like.
void WriteClaim(const dra::ClaimObject& claim, const std::string& api_version, int64_t resource_version,
                JsonWriter& json);

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_CLAIM_JSON_H_
