// PosixFileSystem: the real one. Calls are repeated when a signal interrupts them, reads and writes go on after a short
// count, and descriptors are not inherited by child processes (O_CLOEXEC).
#ifndef KUBELET_CM_COMMON_FILESYSTEM_POSIX_FILE_SYSTEM_H_
#define KUBELET_CM_COMMON_FILESYSTEM_POSIX_FILE_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/filesystem/file_system.h"

namespace kubelet_cm {

// Has no state: any number of them are one. Its files may outlive it.
class PosixFileSystem : public FileSystem {
 public:
  PosixFileSystem() = default;

  using FileSystem::Open;
  absl::StatusOr<std::unique_ptr<File>> Open(const std::string& path, OpenMode mode, uint32_t permissions) override;
  absl::Status Rename(const std::string& from, const std::string& to) override;
  absl::Status Exchange(const std::string& a, const std::string& b) override;
  absl::Status Link(const std::string& from, const std::string& to) override;
  absl::Status Unlink(const std::string& path) override;
  absl::StatusOr<std::vector<std::string>> List(const std::string& folder) override;
  absl::StatusOr<FileStat> Stat(const std::string& path) override;
  absl::StatusOr<FileStat> Lstat(const std::string& path) override;
  absl::Status MakeFolders(const std::string& folder, uint32_t permissions) override;
  absl::Status SyncFolder(const std::string& folder) override;
  absl::Status Chmod(const std::string& path, uint32_t permissions) override;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_POSIX_FILE_SYSTEM_H_
