#include "common/filesystem/posix_file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/filesystem/path.h"
#include "common/filesystem/posix_file.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

absl::Status Error(absl::string_view call, absl::string_view path) {
  return ErrnoStatus(errno, absl::StrCat(call, " ", path));
}

int FlagsOf(OpenMode mode) {
  switch (mode) {
    case OpenMode::kRead:
      return O_RDONLY | O_NONBLOCK;
    case OpenMode::kReadWrite:
      return O_RDWR;
    case OpenMode::kReadWriteNoLink:
      return O_RDWR | O_NOFOLLOW;
    case OpenMode::kCreate:
      return O_RDWR | O_CREAT;
    case OpenMode::kCreateExclusive:
      return O_RDWR | O_CREAT | O_EXCL;
  }
  return O_RDONLY;
}

absl::StatusOr<int> OpenDescriptor(const std::string& path, int flags, uint32_t permissions) {
  const int descriptor =
      RetryInterrupted([&] { return open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY, permissions); });
  if (descriptor < 0) return Error("open", path);
  return descriptor;
}

}  // namespace

absl::StatusOr<std::unique_ptr<File>> PosixFileSystem::Open(const std::string& path, OpenMode mode,
                                                            uint32_t permissions) {
  absl::StatusOr<int> descriptor = OpenDescriptor(path, FlagsOf(mode), permissions);
  // Somebody has taken the file alone (File::TakeAlone): not for long.
  if (ErrnoOf(descriptor.status()) == EWOULDBLOCK) {
    descriptor = OpenDescriptor(path, FlagsOf(mode) & ~O_NONBLOCK, permissions);
  }
  RETURN_IF_ERROR(descriptor.status());
  return std::make_unique<PosixFile>(*descriptor, path);
}

absl::Status PosixFileSystem::Rename(const std::string& from, const std::string& to) {
  if (rename(from.c_str(), to.c_str()) != 0) return Error("rename", absl::StrCat(from, " ", to));
  return absl::OkStatus();
}

absl::Status PosixFileSystem::Exchange(const std::string& a, const std::string& b) {
  if (renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) != 0) {
    return Error("exchange", absl::StrCat(a, " ", b));
  }
  return absl::OkStatus();
}

absl::Status PosixFileSystem::Link(const std::string& from, const std::string& to) {
  if (linkat(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), 0) != 0) return Error("link", absl::StrCat(from, " ", to));
  return absl::OkStatus();
}

absl::Status PosixFileSystem::Unlink(const std::string& path) {
  if (unlink(path.c_str()) != 0) return Error("unlink", path);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> PosixFileSystem::List(const std::string& folder) {
  struct CloseFolder {
    void operator()(DIR* open) const { closedir(open); }
  };
  const std::unique_ptr<DIR, CloseFolder> open(opendir(folder.c_str()));
  if (open == nullptr) return Error("list", folder);
  std::vector<std::string> names;
  errno = 0;                                           // readdir leaves it alone at the end of the folder
  while (const dirent* entry = readdir(open.get())) {  // NOLINT(concurrency-mt-unsafe): no other thread has this stream
    const absl::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  if (errno != 0) return Error("list", folder);
  std::sort(names.begin(), names.end());
  return names;
}

absl::StatusOr<FileStat> PosixFileSystem::Stat(const std::string& path) {
  struct stat raw;
  if (stat(path.c_str(), &raw) != 0) return Error("stat", path);
  return FileStatOf(raw);
}

absl::StatusOr<FileStat> PosixFileSystem::Lstat(const std::string& path) {
  struct stat raw;
  if (lstat(path.c_str(), &raw) != 0) return Error("lstat", path);
  return FileStatOf(raw);
}

absl::Status PosixFileSystem::MakeFolders(const std::string& folder, uint32_t permissions) {
  if (mkdir(folder.c_str(), permissions) == 0) return absl::OkStatus();
  if (errno == ENOENT && FolderOf(folder) != folder) {
    RETURN_IF_ERROR(MakeFolders(FolderOf(folder), permissions));
    if (mkdir(folder.c_str(), permissions) == 0) return absl::OkStatus();
  }
  if (errno != EEXIST) return Error("mkdir", folder);
  ASSIGN_OR_RETURN(const FileStat existing, Stat(folder));
  if (existing.kind == FileKind::kFolder) return absl::OkStatus();
  return ErrnoStatus(ENOTDIR, absl::StrCat("mkdir ", folder));
}

absl::Status PosixFileSystem::SyncFolder(const std::string& folder) {
  ASSIGN_OR_RETURN(const int descriptor, OpenDescriptor(folder, O_RDONLY | O_DIRECTORY, 0));
  PosixFile opened(descriptor, folder);
  RETURN_IF_ERROR(opened.Sync());
  return opened.Close();
}

absl::Status PosixFileSystem::Chmod(const std::string& path, uint32_t permissions) {
  if (chmod(path.c_str(), permissions) != 0) return Error("chmod", path);
  return absl::OkStatus();
}

}  // namespace kubelet_cm
