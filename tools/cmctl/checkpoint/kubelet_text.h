// Kubelet versions in sentences.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_KUBELET_TEXT_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_KUBELET_TEXT_H_

#include <functional>
#include <string>
#include <vector>

#include "common/personality/personality.h"

namespace kubelet_cm::cmctl {

using PersonalityTest = std::function<bool(const Personality&)>;

// The released kubelets for which the test holds, oldest first.
std::vector<const Personality*> KubeletsWhere(const PersonalityTest& test);

// "1.11 to 1.19", "1.20.14 and later 1.20, 1.21.8 and later 1.21, 1.23 to 1.30": neighbours are put together.
std::string KubeletRanges(const std::vector<const Personality*>& kubelets);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_KUBELET_TEXT_H_
