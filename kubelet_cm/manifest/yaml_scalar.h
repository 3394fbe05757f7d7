// What a plain YAML scalar, one without quotes, means to the kubelet, whose YAML is that of version 1.1: yes and off
// are booleans, 010 is 8.
//
// A pure function.
#ifndef KUBELET_CM_KUBELET_CM_MANIFEST_YAML_SCALAR_H_
#define KUBELET_CM_KUBELET_CM_MANIFEST_YAML_SCALAR_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "common/gotext/json_document.h"

namespace kubelet_cm {

struct YamlScalar {
  JsonType type = JsonType::kNull;  // null, bool, number or string
  std::string text;                 // of a string its value; else as JSON

  friend bool operator==(const YamlScalar&, const YamlScalar&) = default;
};

// InvalidArgument for numbers that JSON does not have (.inf, .nan).
absl::StatusOr<YamlScalar> ResolvePlainScalar(std::string_view plain);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_MANIFEST_YAML_SCALAR_H_
