// FakeFileSystem: a FileSystem in memory on a FakeDisk, for tests. It can be killed and have its power cut:
//
//   FakeFileSystem fs;
//   ... code under test runs on fs ...
//   fs.KillProcess();                                   // kill -9: everything written is still there
//   ASSERT_OK_AND_ASSIGN(auto images, fs.AfterPowerCut());
//   for (auto& image : images) { ... start again on *image, check ... }
//
// What a power cut may leave is described in fake_disk_image.h. To stop code under test at a chosen operation, put a
// FaultyFileSystem between.
#ifndef KUBELET_CM_COMMON_FILESYSTEM_FAKE_FILE_SYSTEM_H_
#define KUBELET_CM_COMMON_FILESYSTEM_FAKE_FILE_SYSTEM_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/filesystem/fake_disk.h"
#include "common/filesystem/fake_disk_image.h"
#include "common/filesystem/fake_inode.h"
#include "common/filesystem/file_system.h"
#include "common/threads/mutex.h"

namespace kubelet_cm {

class FakeFile;

// Thread-safe. Outlives its files.
class FakeFileSystem : public FileSystem {
 public:
  FakeFileSystem() = default;
  explicit FakeFileSystem(FakeDisk disk) : disk_(std::move(disk)) {}

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

  // The process dies: its open files answer EBADF from now on and its locks are free. What it wrote stays.
  void KillProcess();

  // Each state in which the disk may be after a power cut now, each once, as a file system of its own; this one stays.
  absl::StatusOr<std::vector<std::unique_ptr<FakeFileSystem>>> AfterPowerCut(const PowerCutOptions& options = {}) const;

  // The power is cut here: KillProcess, and `choose`, which must not call this object, decides what is left of the
  // disk.
  void CutPower(const PowerCutOptions& options, Chooser choose);

  // The disk writes everything back, as it does by itself after a while.
  void Settle();

  // What other programs do: a socket, a link to `target`, a tree removed with all that is in it (a tmpfs at a reboot).
  absl::Status AddSocket(const std::string& path);
  absl::Status AddSymlink(const std::string& target, const std::string& path);
  absl::Status EraseTree(const std::string& path);

  // Grows with every change of what is there or of what a power cut may leave of it.
  uint64_t revision() const;

  // Everything on the disk as text, for comparing and for failure messages.
  std::string Describe() const;

 private:
  friend class FakeFile;

  void ForgetOpenFiles() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  mutable Mutex mu_;
  FakeDisk disk_ ABSL_GUARDED_BY(mu_);
  // Which files are locked by which open file.
  std::map<const FakeInode*, const FakeFile*> locks_ ABSL_GUARDED_BY(mu_);
  // How many open files of the living process each file has, and which are taken by one.
  std::map<const FakeInode*, int> open_ ABSL_GUARDED_BY(mu_);
  std::set<const FakeInode*> taken_ ABSL_GUARDED_BY(mu_);
  // Counts the kills: a file that was opened before the last one is dead.
  uint64_t incarnation_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_FAKE_FILE_SYSTEM_H_
