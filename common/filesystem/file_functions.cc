#include "common/filesystem/file_functions.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "common/filesystem/path.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {

absl::StatusOr<std::string> ReadFile(FileSystem& file_system, const std::string& path, size_t max_bytes) {
  // Asked before it is opened: opening a pipe that nobody writes to would wait forever.
  ASSIGN_OR_RETURN(const FileStat stat, file_system.Stat(path));
  if (stat.kind != FileKind::kRegular) {
    return absl::FailedPreconditionError(absl::StrCat("read ", path, ": not a regular file"));
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<File> file, file_system.Open(path, OpenMode::kRead));
  ASSIGN_OR_RETURN(std::string bytes, file->Read(max_bytes + 1));
  RETURN_IF_ERROR(file->Close());
  if (bytes.size() > max_bytes) {
    return absl::ResourceExhaustedError(absl::StrCat("read ", path, ": larger than ", max_bytes, " bytes"));
  }
  return bytes;
}

absl::Status MakeFoldersDurably(FileSystem& file_system, const std::string& folder, uint32_t permissions) {
  RETURN_IF_ERROR(file_system.MakeFolders(folder, permissions));
  std::string below = folder;
  for (std::string above = FolderOf(below); above != below; above = FolderOf(below)) {
    const absl::Status synced = file_system.SyncFolder(above);
    if (!synced.ok() && !absl::IsPermissionDenied(synced)) return synced;
    below = above;
  }
  return absl::OkStatus();
}

}  // namespace kubelet_cm
