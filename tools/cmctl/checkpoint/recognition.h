// Tells what kind of state file bytes are.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_RECOGNITION_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_RECOGNITION_H_

#include <memory>
#include <string>
#include <string_view>

#include "tools/cmctl/checkpoint/state_file.h"

namespace kubelet_cm::cmctl {

// By the content, and by the file's name where the content is too damaged to tell or could be of two kinds. Never null.
std::unique_ptr<StateFile> RecogniseStateFile(std::string_view name, std::string bytes);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_RECOGNITION_H_
