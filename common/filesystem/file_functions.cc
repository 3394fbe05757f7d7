#include "common/filesystem/file_functions.h"

#include <cerrno>
#include <memory>

#include "absl/strings/str_cat.h"
#include "common/filesystem/path.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

absl::Status NotRegular(const std::string& path) {
  return absl::FailedPreconditionError(absl::StrCat("read ", path, ": not a regular file"));
}

}  // namespace

absl::StatusOr<std::string> ReadFile(FileSystem& file_system, const std::string& path, size_t max_bytes) {
  absl::StatusOr<std::unique_ptr<File>> opened = file_system.Open(path, OpenMode::kRead);
  // What a socket answers. It is there: not to be taken for a file that is not.
  if (ErrnoOf(opened.status()) == ENXIO) return NotRegular(path);
  RETURN_IF_ERROR(opened.status());
  const std::unique_ptr<File> file = *std::move(opened);
  // Asked of what is open, not of the name, which may be another file's by now.
  ASSIGN_OR_RETURN(const FileStat stat, file->Stat());
  if (stat.kind != FileKind::kRegular) return NotRegular(path);
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
