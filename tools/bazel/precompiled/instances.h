// Templates that nearly every source instantiates. As part of what is precompiled, this header says to every source
// that they are instantiated elsewhere: in instances.cc. Nobody else includes it.
#ifndef KUBELET_CM_TOOLS_BAZEL_PRECOMPILED_INSTANCES_H_
#define KUBELET_CM_TOOLS_BAZEL_PRECOMPILED_INSTANCES_H_

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

// Empty in instances.cc.
#ifndef KUBELET_CM_INSTANCE
#define KUBELET_CM_INSTANCE extern
#endif

KUBELET_CM_INSTANCE template class std::basic_string<char>;  // The standard library has it, but not as C++20.
KUBELET_CM_INSTANCE template class std::vector<int>;
KUBELET_CM_INSTANCE template class std::vector<std::string>;
KUBELET_CM_INSTANCE template class std::vector<std::pair<std::string, std::string>>;
KUBELET_CM_INSTANCE template class std::map<std::string, std::string>;
KUBELET_CM_INSTANCE template class std::set<std::string>;
KUBELET_CM_INSTANCE template class absl::StatusOr<std::string>;
KUBELET_CM_INSTANCE template class absl::StatusOr<std::vector<std::string>>;

#undef KUBELET_CM_INSTANCE

#endif  // KUBELET_CM_TOOLS_BAZEL_PRECOMPILED_INSTANCES_H_
