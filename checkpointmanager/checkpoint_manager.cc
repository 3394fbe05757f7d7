#include "checkpointmanager/checkpoint_manager.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "checkpointmanager/checkpoint_error.h"
#include "checkpointmanager/checkpoint_key.h"
#include "common/filesystem/atomic_write.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/path.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

constexpr uint32_t kFolderMode = 0755;
constexpr uint32_t kFileMode = 0600;

}  // namespace

absl::StatusOr<std::unique_ptr<CheckpointManager>> CheckpointManager::New(FileSystem& file_system, Random& random,
                                                                          std::string folder) {
  RETURN_IF_ERROR(MakeFoldersDurably(file_system, folder, kFolderMode));
  // Whoever was here before may have been killed between a rename and this. What is read from now on is told to others,
  // so a power cut must not bring back what was there before it.
  RETURN_IF_ERROR(file_system.SyncFolder(folder));
  return std::unique_ptr<CheckpointManager>(new CheckpointManager(file_system, random, std::move(folder)));
}

absl::Status CheckpointManager::Create(std::string_view key, const Checkpoint& checkpoint) {
  ASSIGN_OR_RETURN(const std::string bytes, checkpoint.Marshal());
  return Write(key, bytes);
}

absl::Status CheckpointManager::Write(std::string_view key, std::string_view bytes) {
  ASSIGN_OR_RETURN(const std::string path, PathOf(key));
  RETURN_IF_ERROR(PrepareToWrite(path, bytes.size()));
  return AtomicWrite(file_system_, random_, path, absl::string_view(bytes.data(), bytes.size()), kFileMode);
}

absl::StatusOr<std::unique_ptr<ReplacedFile>> CheckpointManager::Replaced(std::string_view key) {
  ASSIGN_OR_RETURN(const std::string path, PathOf(key));
  return std::make_unique<ReplacedFile>(file_system_, random_, path, ReplacedFileOptions{.mode = kFileMode});
}

absl::Status CheckpointManager::Write(ReplacedFile& file, std::string_view bytes) {
  RETURN_IF_ERROR(PrepareToWrite(file.path(), bytes.size()));
  return file.Replace(absl::string_view(bytes.data(), bytes.size()));
}

absl::Status CheckpointManager::Get(std::string_view key, Checkpoint& checkpoint) {
  ASSIGN_OR_RETURN(const std::string bytes, Read(key));
  RETURN_IF_ERROR(checkpoint.Unmarshal(bytes));
  return checkpoint.Verify();
}

absl::StatusOr<std::string> CheckpointManager::Read(std::string_view key) {
  ASSIGN_OR_RETURN(const std::string path, PathOf(key));
  absl::StatusOr<std::string> bytes = ReadFile(file_system_, path, kMaxCheckpointBytes);
  if (absl::IsNotFound(bytes.status())) return CheckpointNotFoundError();
  return bytes;
}

absl::Status CheckpointManager::Remove(std::string_view key) {
  ASSIGN_OR_RETURN(const std::string path, PathOf(key));
  const absl::Status removed = file_system_.Unlink(path);
  if (!removed.ok() && !absl::IsNotFound(removed)) return removed;
  // Also for a file that is not there: an earlier call may have removed it and failed at this.
  const absl::Status synced = file_system_.SyncFolder(folder_);
  return absl::IsNotFound(synced) ? absl::OkStatus() : synced;
}

absl::Status CheckpointManager::PrepareToWrite(const std::string& path, size_t bytes) {
  if (bytes > kMaxCheckpointBytes) {
    return absl::ResourceExhaustedError(absl::StrCat("write ", path, ": ", bytes, " bytes, more than ",
                                                     kMaxCheckpointBytes, ", which is all that would be read again"));
  }
  return MakeFolderAgain();
}

absl::Status CheckpointManager::MakeFolderAgain() {
  if (folder_is_durable_) {
    const absl::Status there = file_system_.Stat(folder_).status();
    if (!absl::IsNotFound(there)) return there;
    folder_is_durable_ = false;
  }
  RETURN_IF_ERROR(MakeFoldersDurably(file_system_, folder_, kFolderMode));
  folder_is_durable_ = true;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> CheckpointManager::List() {
  absl::StatusOr<std::vector<std::string>> names = file_system_.List(folder_);
  if (!names.ok()) {
    return Reworded(names.status(), absl::StrCat("failed to list checkpoint store: ", names.status().message()));
  }
  std::erase_if(*names, [](const std::string& name) { return absl::StartsWith(name, "."); });
  return names;
}

absl::StatusOr<std::string> CheckpointManager::PathOf(std::string_view key) const {
  RETURN_IF_ERROR(ValidateCheckpointKey(key));
  return JoinPath(folder_, absl::string_view(key.data(), key.size()));
}

}  // namespace kubelet_cm
