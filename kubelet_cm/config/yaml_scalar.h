// What a plain (unquoted) YAML scalar stands for, by the rules of the library that kubelets read their files with: YAML
// 1.1, so that yes and off are truth values, and 010, 0o10, 0x8 and 1_000 are numbers. Pure functions.
#ifndef KUBELET_CM_KUBELET_CM_CONFIG_YAML_SCALAR_H_
#define KUBELET_CM_KUBELET_CM_CONFIG_YAML_SCALAR_H_

#include <cstdint>
#include <string_view>
#include <variant>

namespace kubelet_cm::config {

// Nothing at all: null. A number with a fraction or an exponent is a double, one beyond 64 bits, too.
struct YamlText {
  friend bool operator==(YamlText, YamlText) = default;
};
using YamlScalar = std::variant<std::monostate, bool, int64_t, uint64_t, double, YamlText>;

// uint64_t only for what int64_t cannot hold. YamlText: it stands for itself.
YamlScalar ResolvePlainScalar(std::string_view text);

}  // namespace kubelet_cm::config

#endif  // KUBELET_CM_KUBELET_CM_CONFIG_YAML_SCALAR_H_
