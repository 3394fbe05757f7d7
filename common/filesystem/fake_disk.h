// FakeDisk: a tree of files in memory that knows what of it is durable. FakeFileSystem puts the FileSystem interface on
// it; fake_disk_image.h says what a power cut may leave of it.
//
// Beyond FileSystem's promises: there are no owners, no second names and no permission checks, no limit on space, and
// modification times come from a counter of changes, so that runs repeat byte for byte. Modes and times are durable at
// once.
#ifndef KUBELET_CM_COMMON_FILESYSTEM_FAKE_DISK_H_
#define KUBELET_CM_COMMON_FILESYSTEM_FAKE_DISK_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/filesystem/fake_directory_log.h"
#include "common/filesystem/fake_inode.h"
#include "common/filesystem/file_system.h"

namespace kubelet_cm {

// Not thread-safe. Errors are those of FileSystem's methods of the same names.
class FakeDisk {
 public:
  // An empty root folder.
  FakeDisk();
  // Takes over a tree all of which is durable.
  explicit FakeDisk(std::shared_ptr<FakeInode> root);
  FakeDisk(FakeDisk&&) = default;
  FakeDisk& operator=(FakeDisk&&) = default;

  absl::StatusOr<std::shared_ptr<FakeInode>> Open(const std::string& path, OpenMode mode, uint32_t permissions);
  absl::Status Rename(const std::string& from, const std::string& to);
  absl::Status Exchange(const std::string& a, const std::string& b);
  absl::Status Link(const std::string& from, const std::string& to);
  absl::Status Unlink(const std::string& path);
  absl::StatusOr<std::vector<std::string>> List(const std::string& folder) const;
  absl::StatusOr<FileStat> Stat(const std::string& path) const;
  absl::StatusOr<FileStat> Lstat(const std::string& path) const;
  static FileStat StatOf(const FakeInode& inode);
  absl::Status MakeFolders(const std::string& folder, uint32_t permissions);
  absl::Status SyncFolder(const std::string& folder);
  absl::Status Chmod(const std::string& path, uint32_t permissions);

  void Write(FakeInode& file, size_t offset, absl::string_view bytes);
  void Resize(FakeInode& file, size_t size);
  void Sync(FakeInode& file);

  // Makes `path` a socket, or a link to `target`, in a folder that is there.
  absl::Status AddSocket(const std::string& path);
  absl::Status AddSymlink(const std::string& target, const std::string& path);
  // Removes whatever is at `path`, durably.
  absl::Status EraseTree(const std::string& path);
  // Makes everything durable, as the disk itself does after a while.
  void Settle();

  // Grows with every change of what is there or of what a power cut may leave of it.
  uint64_t revision() const { return revision_; }
  const FakeInode& root() const { return *root_; }
  const std::vector<FakeNameChanges>& pending() const { return log_.pending(); }

 private:
  // Where a path leads: the folder that has, or would have, the name, and what the name is now.
  struct Place {
    int error = 0;                           // an errno: the path leads nowhere
    std::shared_ptr<FakeInode> folder = {};  // null: the path is one of "/", "." and ".."
    std::string name = {};
    std::shared_ptr<FakeInode> inode = {};  // null: no such name
  };
  enum class LastLink { kFollow, kKeep };

  Place Locate(absl::string_view path, LastLink last) const;
  absl::StatusOr<std::shared_ptr<FakeInode>> Existing(absl::string_view call, const std::string& path,
                                                      LastLink last) const;
  absl::StatusOr<std::shared_ptr<FakeInode>> Folder(absl::string_view call, const std::string& path) const;
  std::shared_ptr<FakeInode> NewInode(FileKind kind, uint32_t mode);
  absl::Status AddNode(absl::string_view call, const std::string& path, std::shared_ptr<FakeInode> node);
  void Apply(FakeNameChanges changes);
  absl::Time NextTime();

  std::shared_ptr<FakeInode> root_;
  FakeDirectoryLog log_;
  uint64_t last_inode_ = 0;
  int64_t changes_ = 0;
  uint64_t revision_ = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_FAKE_DISK_H_
