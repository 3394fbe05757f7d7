// What to do about a file of claims, in sentences. "{FILE}" stands for the file.
//
// Pure functions.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_CLAIM_ADVICE_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_CLAIM_ADVICE_H_

#include <string>
#include <string_view>
#include <vector>

#include "common/personality/personality.h"

namespace kubelet_cm::cmctl {

std::vector<std::string> AdviceOnCorruptClaims();

// For a valid file that this kubelet does not accept.
std::vector<std::string> AdviceOnUnreadClaims(const Personality& kubelet, std::string_view version,
                                              const std::vector<const Personality*>& writers);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_CLAIM_ADVICE_H_
