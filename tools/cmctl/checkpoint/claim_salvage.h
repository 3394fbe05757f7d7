// What is left of a file of claims that is cut off or no JSON: the claims that are whole.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_CLAIM_SALVAGE_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_CLAIM_SALVAGE_H_

#include <string_view>

#include "common/personality/personality.h"
#include "tools/cmctl/checkpoint/state_file.h"

namespace kubelet_cm::cmctl {

// Pure function; any bytes are fine as input. `format` says where in the file claims stand, and is what is written.
Rewritten SalvageClaims(std::string_view bytes, DraFormat format);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_CLAIM_SALVAGE_H_
