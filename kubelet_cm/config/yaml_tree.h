// A YAML (or JSON) document as a tree that knows where everything stands in the text, for files whose errors are to
// name line and column. For configuration of hostile size there are limits; aliases are replaced by what they stand
// for.
//
// Pure value code.
#ifndef KUBELET_CM_KUBELET_CM_CONFIG_YAML_TREE_H_
#define KUBELET_CM_KUBELET_CM_CONFIG_YAML_TREE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "kubelet_cm/config/yaml_scalar.h"

namespace kubelet_cm::config {

// Counted from 1.
struct YamlPosition {
  int line = 1;
  int column = 1;

  friend auto operator<=>(const YamlPosition&, const YamlPosition&) = default;
};

struct YamlNode {
  enum class Kind { kScalar, kList, kMap };

  Kind kind = Kind::kScalar;
  YamlPosition at = {};
  std::string text = {};                                    // of a scalar, without quotes
  YamlScalar scalar = {};                                   // what it stands for; YamlText: what `text` says
  std::vector<YamlNode> items = {};                         // of a list
  std::vector<std::pair<YamlNode, YamlNode>> entries = {};  // of a map, in the order of the text

  bool is_null() const { return kind == Kind::kScalar && std::holds_alternative<std::monostate>(scalar); }
  // The text of a scalar that is one, and null otherwise.
  const std::string* string() const {
    return kind == Kind::kScalar && std::holds_alternative<YamlText>(scalar) ? &text : nullptr;
  }
};

struct YamlLimits {
  size_t bytes = 1 << 20;
  size_t nodes = 100'000;       // aliases count as what they stand for
  size_t tree_bytes = 8 << 20;  // of all scalars
  size_t depth = 64;
};

// "line 3, column 7: <message>", kInvalidArgument.
absl::Status YamlError(YamlPosition at, std::string_view message);

// The one document in `text`; an empty one is null. kInvalidArgument, with the place, for what is no YAML or is beyond
// the limits, for a second document, for a key that is there twice in a map, and for merge keys (<<).
absl::StatusOr<YamlNode> ParseYamlTree(std::string_view text, const YamlLimits& limits = {});

}  // namespace kubelet_cm::config

#endif  // KUBELET_CM_KUBELET_CM_CONFIG_YAML_TREE_H_
