#include "checkpointmanager/checkpoint_recovery.h"

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "checkpointmanager/checkpoint_key.h"
#include "common/filesystem/atomic_write.h"
#include "common/filesystem/path.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

// Whether reading failed because of what the file is: its size or its kind. Want of permission or of memory says
// nothing about the file, and a disk that fails once may give back what is in it: to start without it would lose it.
bool IsFilesFault(const absl::Status& read_error) {
  const int error = ErrnoOf(read_error);
  return error == 0 || error == EISDIR || error == ELOOP;
}

absl::StatusOr<Recovery> Refuse(const RecoverySetting& setting, std::string_view key, const absl::Status& error,
                                Recovery recovery) {
  if (setting.policy == RecoverPolicy::kStrict) {
    return CorruptState(error, absl::StrCat("failed to get checkpoint ", std::string(key), ": ", error.message()));
  }
  ASSIGN_OR_RETURN(recovery.set_aside_as,
                   SetAside(setting.file_system, setting.manager.folder(), key, setting.clock.WallNow()));
  recovery.outcome = RecoveryOutcome::kCorrupt;
  recovery.error = error;
  recovery.bytes.clear();
  return recovery;
}

}  // namespace

absl::Status CorruptState(const absl::Status& error, const std::string& message) {
  absl::Status corrupt = absl::DataLossError(message);
  error.ForEachPayload(
      [&corrupt](absl::string_view type, const absl::Cord& payload) { corrupt.SetPayload(type, payload); });
  return corrupt;
}

absl::StatusOr<Recovery> RecoverCheckpoint(const RecoverySetting& setting, std::string_view key,
                                           AcceptCheckpoint accept) {
  RETURN_IF_ERROR(ValidateCheckpointKey(key));
  Recovery recovery;
  ASSIGN_OR_RETURN(recovery.swept, SweepTempFiles(setting.file_system, setting.manager.folder()));
  absl::StatusOr<std::string> bytes = setting.manager.Read(key);
  if (absl::IsNotFound(bytes.status())) return recovery;
  if (!bytes.ok()) {
    if (!IsFilesFault(bytes.status())) {
      return Reworded(bytes.status(), absl::StrCat("failed to get checkpoint ", std::string(key), ", which is left as ",
                                                   "it is: ", bytes.status().message()));
    }
    return Refuse(setting, key, bytes.status(), std::move(recovery));
  }
  recovery.bytes = *std::move(bytes);
  const absl::StatusOr<bool> newest = accept(recovery.bytes);
  if (!newest.ok()) return Refuse(setting, key, newest.status(), std::move(recovery));
  recovery.outcome = *newest ? RecoveryOutcome::kRestored : RecoveryOutcome::kMigrated;
  return recovery;
}

absl::StatusOr<std::string> SetAside(FileSystem& file_system, const std::string& folder, std::string_view key,
                                     absl::Time now) {
  RETURN_IF_ERROR(ValidateCheckpointKey(key));
  const std::string from = JoinPath(folder, std::string(key));
  const std::string base =
      absl::StrCat(std::string(key), ".corrupt-", absl::FormatTime("%Y%m%dT%H%M%SZ", now, absl::UTCTimeZone()));
  std::string name = base;
  for (int i = 2;; ++i) {
    const absl::StatusOr<FileStat> taken = file_system.Lstat(JoinPath(folder, name));
    if (absl::IsNotFound(taken.status())) break;
    RETURN_IF_ERROR(taken.status());
    name = absl::StrCat(base, "-", i);
  }
  RETURN_IF_ERROR(file_system.Rename(from, JoinPath(folder, name)));
  RETURN_IF_ERROR(file_system.SyncFolder(folder));
  return name;
}

}  // namespace kubelet_cm
