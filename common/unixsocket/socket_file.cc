#include "common/unixsocket/socket_file.h"

#include <cerrno>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

constexpr uint32_t kOthersMayWrite = 0002;
constexpr uint32_t kSticky = 01000;

}  // namespace

absl::Status PrepareSocketFolder(FileSystem& files, const std::string& folder, uint32_t permissions) {
  absl::StatusOr<FileStat> stat = files.Stat(folder);
  if (absl::IsNotFound(stat.status())) return files.MakeFolders(folder, permissions);
  RETURN_IF_ERROR(stat.status());
  if (stat->kind != FileKind::kFolder) {
    return absl::FailedPreconditionError(absl::StrCat("sockets cannot be made in ", folder, ": it is not a folder"));
  }
  if ((stat->mode & kOthersMayWrite) != 0 && (stat->mode & kSticky) == 0) {
    return absl::PermissionDeniedError(
        absl::StrFormat("no socket is made in %s: everybody may write to it (mode %04o)", folder, stat->mode));
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> StaleSocketAt(FileSystem& files, const std::string& path) {
  absl::StatusOr<FileStat> stat = files.Lstat(path);
  if (absl::IsNotFound(stat.status())) return false;
  RETURN_IF_ERROR(stat.status());
  if (stat->kind == FileKind::kSymlink) stat = files.Stat(path);
  if (!stat.ok() || stat->kind != FileKind::kSocket) {
    return absl::FailedPreconditionError(
        absl::StrCat("a socket cannot be made at ", path, ": what is there is not a socket, and stays"));
  }
  return true;
}

absl::Status RemoveStaleSocket(FileSystem& files, const std::string& path) {
  ASSIGN_OR_RETURN(const bool stale, StaleSocketAt(files, path));
  return stale ? files.Unlink(path) : absl::OkStatus();
}

absl::Status PublishSocket(FileSystem& files, const std::string& from, const std::string& to) {
  const absl::Status linked = files.Link(from, to);
  if (const int error = ErrnoOf(linked); error == EPERM || error == EOPNOTSUPP) return files.Rename(from, to);
  RETURN_IF_ERROR(linked);
  return files.Unlink(from);
}

}  // namespace kubelet_cm
