// Pods as JSON or YAML, as a manifest folder or a client of the control API has them.
//
// Fields that the device stack does not look at are taken as they are; what it does look at is checked, and an error
// names the place and the field: `line 12, column 9: spec.containers[0].resources.limits["example.com/gpu"]: ...`.
//
// Pure functions.
#ifndef KUBELET_CM_KUBELET_CM_MANIFEST_POD_PARSER_H_
#define KUBELET_CM_KUBELET_CM_MANIFEST_POD_PARSER_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kubelet_cm/manifest/manifest_objects.h"
#include "kubelet_cm/manifest/pod_manifest.h"

namespace kubelet_cm {

inline constexpr size_t kMaxContainers = 1000;  // of each list
inline constexpr size_t kMaxPodClaims = 1000;   // of the pod, and of each container
inline constexpr size_t kMaxLimits = 1000;      // of each container
inline constexpr size_t kMaxClaimMappings = 10'000;

// The one pod of a text.
absl::StatusOr<PodManifest> ParsePod(std::string_view text);

// The pods of a text, in their order; anything else in it is an error.
absl::StatusOr<std::vector<PodManifest>> ParsePods(std::string_view text);

// An object of kind Pod.
absl::StatusOr<PodManifest> ParsePod(const ManifestObject& object);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_MANIFEST_POD_PARSER_H_
