// The errors that reading a checkpoint has of its own, with upstream's texts.
//
// Pure functions. Other errors (of the file system, of JSON) pass through as they are.
#ifndef KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_ERROR_H_
#define KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_ERROR_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"

namespace kubelet_cm {

// The sums of a checkpoint that does not verify.
struct ChecksumMismatch {
  uint64_t expected = 0;  // computed from what is in the file
  uint64_t actual = 0;    // stored in the file

  friend bool operator==(const ChecksumMismatch&, const ChecksumMismatch&) = default;
};

// NotFound, "checkpoint is not found".
absl::Status CheckpointNotFoundError();

// DataLoss, "checkpoint is corrupted", with the sums as a payload.
absl::Status CorruptCheckpointError(const ChecksumMismatch& sums);

// The sums of an error that CorruptCheckpointError made; nothing for other statuses.
std::optional<ChecksumMismatch> MismatchOf(const absl::Status& status);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_ERROR_H_
