// What to do about a device checkpoint, in sentences. "{FILE}" stands for the file.
//
// Pure functions.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_DEVICE_ADVICE_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_DEVICE_ADVICE_H_

#include <string>
#include <string_view>
#include <vector>

#include "common/personality/personality.h"
#include "tools/cmctl/checkpoint/kubelet_text.h"

namespace kubelet_cm::cmctl {

std::vector<std::string> AdviceOnCorruptDevices();

// For a valid file that this kubelet does not accept; `accepts` says which do.
std::vector<std::string> AdviceOnUnreadDevices(const Personality& kubelet, std::string_view version,
                                               const PersonalityTest& accepts);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_DEVICE_ADVICE_H_
