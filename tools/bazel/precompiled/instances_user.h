// A source as any other, which instances_test looks into.
#ifndef KUBELET_CM_TOOLS_BAZEL_PRECOMPILED_INSTANCES_USER_H_
#define KUBELET_CM_TOOLS_BAZEL_PRECOMPILED_INSTANCES_USER_H_

#include <string>

namespace kubelet_cm {

std::string InOtherWords(std::string text);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_TOOLS_BAZEL_PRECOMPILED_INSTANCES_USER_H_
