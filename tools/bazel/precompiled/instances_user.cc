#include "tools/bazel/precompiled/instances_user.h"

namespace kubelet_cm {

std::string InOtherWords(std::string text) { return text.replace(0, 1, "an"); }

}  // namespace kubelet_cm
