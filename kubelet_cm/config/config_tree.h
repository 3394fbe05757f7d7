// A configuration file as a tree of values that know where they stand in the file. YAML, as kubelets read it, or JSON.
//
// Pure value code.
#ifndef KUBELET_CM_KUBELET_CM_CONFIG_CONFIG_TREE_H_
#define KUBELET_CM_KUBELET_CM_CONFIG_CONFIG_TREE_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "common/gotext/json_document.h"
#include "kubelet_cm/manifest/manifest_text.h"

namespace kubelet_cm::config {

struct ConfigNode {
  JsonType type = JsonType::kNull;
  ManifestPlace at = {};
  std::string text = {};                                         // of a string, what it says; of other scalars, as JSON
  std::vector<ConfigNode> items = {};                            // of a list
  std::vector<std::pair<std::string, ConfigNode>> entries = {};  // of a map, in the order of the text

  bool is_null() const { return type == JsonType::kNull; }
  // The text of a string, and null otherwise.
  const std::string* string() const { return type == JsonType::kString ? &text : nullptr; }
};

// The one document in `text`; null for an empty one. Errors have line and column: those of YamlToJson, whose limits
// hold, and kInvalidArgument for a second document and for bytes that are not UTF-8.
absl::StatusOr<ConfigNode> ParseConfigTree(std::string_view text);

}  // namespace kubelet_cm::config

#endif  // KUBELET_CM_KUBELET_CM_CONFIG_CONFIG_TREE_H_
