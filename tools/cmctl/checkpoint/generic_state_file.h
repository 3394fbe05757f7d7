// Checkpoints of other programs: shown, and explained as far as that can be without knowing their types.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_GENERIC_STATE_FILE_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_GENERIC_STATE_FILE_H_

#include <memory>
#include <string_view>

#include "tools/cmctl/checkpoint/state_file.h"

namespace kubelet_cm::cmctl {

// For a JSON object with a checksum, in itself or in a member; nothing if there is none.
std::unique_ptr<StateFile> GenericStateFileOf(std::string_view bytes);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_GENERIC_STATE_FILE_H_
