// YAML as the kubelet reads it, made into JSON: the words of YAML 1.1 (yaml_scalar.h), aliases and merge keys written
// out, several documents in a text.
//
// A pure function.
#ifndef KUBELET_CM_KUBELET_CM_MANIFEST_YAML_TO_JSON_H_
#define KUBELET_CM_KUBELET_CM_MANIFEST_YAML_TO_JSON_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "kubelet_cm/manifest/manifest_text.h"

namespace kubelet_cm {

inline constexpr size_t kMaxYamlBytes = size_t{1} << 20;
inline constexpr size_t kMaxYamlDepth = 100;
inline constexpr size_t kMaxYamlDocuments = 10'000;
// Both with all aliases written out.
inline constexpr size_t kMaxYamlValues = 500'000;
inline constexpr size_t kMaxYamlJsonBytes = size_t{8} << 20;

// The documents in their order, without those that are empty. InvalidArgument with line and column for what is no YAML,
// has no counterpart in JSON, or has a key twice; ResourceExhausted for more than the above.
absl::StatusOr<std::vector<ManifestText>> YamlToJson(std::string_view yaml);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_MANIFEST_YAML_TO_JSON_H_
