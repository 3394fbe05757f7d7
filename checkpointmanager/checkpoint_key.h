// The names of checkpoints: those that the kubelet's file store takes.
#ifndef KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_KEY_H_
#define KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_KEY_H_

#include <string_view>

#include "absl/status/status.h"

namespace kubelet_cm {

// OK for 1 to 250 letters, digits, '-', '_' and '.', with a letter or a digit at both ends; so a key is one file name
// and never a path. Otherwise InvalidArgument with upstream's text.
absl::Status ValidateCheckpointKey(std::string_view key);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_KEY_H_
