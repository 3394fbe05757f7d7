// Reading a state file at start, with one explicit policy for files that cannot be read.
//
// Whatever is wrong with a file, it is never deleted and never overwritten unseen: it is set aside under a name of its
// own, or nothing at all is changed and the start fails.
#ifndef KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_RECOVERY_H_
#define KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_RECOVERY_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "checkpointmanager/checkpoint_manager.h"
#include "common/clock/clock.h"
#include "common/filesystem/file_system.h"

namespace kubelet_cm {

enum class RecoverPolicy {
  kQuarantine,  // set the file aside and start empty
  kStrict,      // change nothing and refuse
};

enum class RecoveryOutcome {
  kFresh,     // there was no file
  kRestored,  // read, in the newest format
  kMigrated,  // read, in an older format
  kCorrupt,   // set aside
};

struct Recovery {
  RecoveryOutcome outcome = RecoveryOutcome::kFresh;
  std::string bytes;                    // what was in the file, if it was read
  absl::Status error;                   // corrupt: what was wrong with it
  std::string set_aside_as;             // corrupt: its new name in the folder
  std::vector<std::string> swept = {};  // leftovers of writers that were killed, removed
};

// Takes the bytes of a file: OK with true (the newest format) or false (an older one), or an error for a file that is
// not to be used. Builds whatever the caller needs of them; nothing of it may count before this function's caller has
// the Recovery.
using AcceptCheckpoint = absl::FunctionRef<absl::StatusOr<bool>(std::string_view bytes)>;

// Where and how. What is referred to outlives the call.
struct RecoverySetting {
  CheckpointManager& manager;
  FileSystem& file_system;  // the manager's
  const Clock& clock;       // for the time in the name of a file that is set aside
  RecoverPolicy policy = RecoverPolicy::kQuarantine;
};

// What a start fails with that refuses a state file: kDataLoss with this message, and the payloads of what was wrong.
absl::Status CorruptState(const absl::Status& error, const std::string& message);

// Sweeps temporary files, reads the file of `key` and offers it to `accept`. Errors: those of the file system when the
// trouble is not with what the file is (a disk that fails to read it is not; the file is left as it is then), and under
// kStrict CorruptState of that of `accept`. For the time before the file's writer starts.
absl::StatusOr<Recovery> RecoverCheckpoint(const RecoverySetting& setting, std::string_view key,
                                           AcceptCheckpoint accept);

// Gives the file of `key` the name "<key>.corrupt-<UTC time>", or one with a number behind it where that is taken, and
// returns the new name. Durable.
absl::StatusOr<std::string> SetAside(FileSystem& file_system, const std::string& folder, std::string_view key,
                                     absl::Time now);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_RECOVERY_H_
