// Checkpoint: what CheckpointManager can write and read.
#ifndef KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_H_
#define KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace kubelet_cm {

class Checkpoint {
 public:
  virtual ~Checkpoint() = default;

  // The file's bytes, checksum included.
  virtual absl::StatusOr<std::string> Marshal() const = 0;

  // Takes over what `bytes` say; what they do not mention stays as it is.
  virtual absl::Status Unmarshal(std::string_view bytes) = 0;

  // After Unmarshal: CorruptCheckpointError when the checksum is not that of the content.
  virtual absl::Status Verify() const = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_H_
