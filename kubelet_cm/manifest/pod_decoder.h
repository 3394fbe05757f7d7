// Decodes the JSON of a v1.Pod by the rules of Go's encoding/json, as far as the device stack looks at it. What is in
// it is checked and put together by pod_parser.h.
#ifndef KUBELET_CM_KUBELET_CM_MANIFEST_POD_DECODER_H_
#define KUBELET_CM_KUBELET_CM_MANIFEST_POD_DECODER_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/container/btree_map.h"
#include "absl/status/statusor.h"
#include "common/gotext/go_slice.h"
#include "common/gotext/json_document.h"
#include "common/node/pod.h"

namespace kubelet_cm {

// As Go would hold them; `offset` is where an element begins in the text.
struct QuantityJson {
  std::optional<JsonValue> value;
};
using ResourceListJson = std::optional<absl::btree_map<std::string, QuantityJson>>;

struct ContainerClaimJson {
  int64_t offset = 0;
  ContainerClaim claim;
};

struct ContainerJson {
  int64_t offset = 0;
  std::string name;
  std::optional<std::string> restart_policy;
  ResourceListJson limits;
  GoSlice<ContainerClaimJson> claims;
};

struct PodClaimJson {
  int64_t offset = 0;
  std::string name;
  std::optional<std::string> claim_name;
  std::optional<std::string> template_name;
};

struct ClaimStatusJson {
  std::string name;
  std::optional<std::string> claim_name;
};

struct ExtendedClaimJson {
  GoSlice<ExtendedResourceClaim::Mapping> mappings;
  std::string claim_name;
};

struct PodJson {
  int64_t offset = 0;
  std::string name;
  std::string namespace_name;
  std::string uid;
  std::optional<std::string> deletion_time;
  std::string node_name;
  GoSlice<ContainerJson> init_containers;
  GoSlice<ContainerJson> containers;
  ResourceListJson pod_limits;
  GoSlice<PodClaimJson> claims;
  std::optional<std::string> scheduling_group;
  std::string phase;
  GoSlice<ClaimStatusJson> claim_statuses;
  std::optional<ExtendedClaimJson> extended_claim;
};

// Refers to the document. Go's error if a value has the wrong type.
absl::StatusOr<PodJson> DecodePod(JsonValue object);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_MANIFEST_POD_DECODER_H_
