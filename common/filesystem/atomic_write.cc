#include "common/filesystem/atomic_write.h"

#include <algorithm>
#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/filesystem/path.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

constexpr uint32_t kTempMode = 0600;
// Draws of a name before giving up: each one taken already means that something other than chance is at work.
constexpr int kMaxNames = 100;

struct TempFile {
  std::string path;
  std::unique_ptr<File> file = {};
};

absl::StatusOr<TempFile> CreateTempFile(FileSystem& file_system, Random& random, const std::string& folder) {
  absl::Status taken;
  for (int i = 0; i < kMaxNames; ++i) {
    const std::string path = JoinPath(folder, absl::StrCat(".", random.Uint64()));
    absl::StatusOr<std::unique_ptr<File>> file = file_system.Open(path, OpenMode::kCreateExclusive, kTempMode);
    if (file.ok()) return TempFile{path, *std::move(file)};
    if (!absl::IsAlreadyExists(file.status())) return file.status();
    taken = file.status();
  }
  return taken;
}

absl::Status Fill(FileSystem& file_system, const TempFile& temp, absl::string_view bytes, uint32_t mode) {
  RETURN_IF_ERROR(temp.file->Write(bytes));
  if (mode != kTempMode) RETURN_IF_ERROR(file_system.Chmod(temp.path, mode));
  return temp.file->Sync();
}

// `written` is how it went so far; the texts are upstream's.
absl::Status CloseAfter(const absl::Status& written, File& file) {
  const absl::Status closed = file.Close();
  if (closed.ok()) return written;
  if (written.ok()) return Reworded(closed, absl::StrCat("close error: ", closed.message()));
  return Reworded(written, absl::StrCat("failed to close temp file after error ", written.message(),
                                        "; close error: ", closed.message()));
}

bool IsTempName(absl::string_view name) {
  return name.size() > 1 && name[0] == '.' && std::all_of(name.begin() + 1, name.end(), absl::ascii_isdigit);
}

// Removes `path` if it is a regular file; false when it is something else or gone.
absl::StatusOr<bool> RemoveRegularFile(FileSystem& file_system, const std::string& path) {
  const absl::StatusOr<FileStat> stat = file_system.Lstat(path);
  if (absl::IsNotFound(stat.status())) return false;
  RETURN_IF_ERROR(stat.status());
  if (stat->kind != FileKind::kRegular) return false;
  const absl::Status removed = file_system.Unlink(path);
  if (absl::IsNotFound(removed)) return false;
  RETURN_IF_ERROR(removed);
  return true;
}

}  // namespace

absl::Status AtomicWrite(FileSystem& file_system, Random& random, const std::string& path, absl::string_view bytes,
                         uint32_t mode) {
  ASSIGN_OR_RETURN(const std::string temp, WriteTempFile(file_system, random, path, bytes, mode));
  const absl::Status renamed = file_system.Rename(temp, path);
  if (!renamed.ok()) return RemoveTempFile(renamed, file_system, temp);
  return file_system.SyncFolder(FolderOf(path));
}

absl::StatusOr<std::string> WriteTempFile(FileSystem& file_system, Random& random, const std::string& path,
                                          absl::string_view bytes, uint32_t mode) {
  ASSIGN_OR_RETURN(const TempFile temp, CreateTempFile(file_system, random, FolderOf(path)));
  const absl::Status written = CloseAfter(Fill(file_system, temp, bytes, mode), *temp.file);
  if (!written.ok()) return RemoveTempFile(written, file_system, temp.path);
  return temp.path;
}

absl::Status RemoveTempFile(const absl::Status& error, FileSystem& file_system, const std::string& temp_path) {
  const absl::Status removed = file_system.Unlink(temp_path);
  if (removed.ok() || absl::IsNotFound(removed)) return error;
  return Reworded(error, absl::StrCat("failed to remove the temporary file (\"", temp_path, "\") after error ",
                                      error.message(), "; remove error: ", removed.message()));
}

absl::StatusOr<std::vector<std::string>> SweepTempFiles(FileSystem& file_system, const std::string& folder) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, file_system.List(folder));
  return SweepTempFiles(file_system, folder, names);
}

absl::StatusOr<std::vector<std::string>> SweepTempFiles(FileSystem& file_system, const std::string& folder,
                                                        const std::vector<std::string>& names) {
  std::vector<std::string> removed;
  absl::Status first_error;
  for (const std::string& name : names) {
    if (!IsTempName(name)) continue;
    const absl::StatusOr<bool> is_removed = RemoveRegularFile(file_system, JoinPath(folder, name));
    first_error.Update(is_removed.status());
    if (is_removed.ok() && *is_removed) removed.push_back(name);
  }
  RETURN_IF_ERROR(first_error);
  return removed;
}

}  // namespace kubelet_cm
