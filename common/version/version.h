// The version of this project, as `kubelet_cm --version` and `cmctl version` print it.
//
// The same number stands in MODULE.bazel; //common/version:version_test compares them.
#ifndef KUBELET_CM_COMMON_VERSION_VERSION_H_
#define KUBELET_CM_COMMON_VERSION_VERSION_H_

#include "absl/strings/string_view.h"

namespace kubelet_cm {

inline constexpr absl::string_view kVersion = "0.1.0";

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_VERSION_VERSION_H_
