// FaultyFileSystem: any file system, with the faults of a FaultPlan. For tests.
//
// It stands for one incarnation of a process: when the plan stops it, nothing that the code under test still does has
// an effect. A restart is a new FaultyFileSystem with a new plan on the same disk (after FakeFileSystem::KillProcess,
// which frees the locks).
#ifndef KUBELET_CM_COMMON_FILESYSTEM_FAULTY_FILE_SYSTEM_H_
#define KUBELET_CM_COMMON_FILESYSTEM_FAULTY_FILE_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/file_system.h"

namespace kubelet_cm {

// Thread-safe when `inner` is. Uses, and does not own, what it is given.
class FaultyFileSystem : public FileSystem {
 public:
  FaultyFileSystem(FileSystem& inner, FaultPlan& plan) : inner_(inner), plan_(plan) {}

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

 private:
  FileSystem& inner_;
  FaultPlan& plan_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_FAULTY_FILE_SYSTEM_H_
