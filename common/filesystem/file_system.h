// FileSystem and File: the only way in which this project touches files and folders.
//
// posix_file_system.h is the real one; fake_file_system.h is a disk in memory for tests, faulty_file_system.h breaks
// any of them on purpose, mock_file_system.h is for expectations on calls. Files are written with AtomicWrite
// (atomic_write.h), not with Open and Write.
//
// Errors are ErrnoStatus (common/status/errno_status.h): "<call> <path>: <reason>", with the errno as payload; a name
// that is not there is kNotFound. Paths are absolute. Final symbolic links are followed, except where stated.
#ifndef KUBELET_CM_COMMON_FILESYSTEM_FILE_SYSTEM_H_
#define KUBELET_CM_COMMON_FILESYSTEM_FILE_SYSTEM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace kubelet_cm {

// What opening does with a file that is or is not there. There is no truncation: what replaces a file is AtomicWrite.
enum class OpenMode {
  kRead,             // must exist
  kReadWrite,        // must exist
  kReadWriteNoLink,  // must exist and be no symbolic link
  kCreate,           // made when missing; for reading and writing
  kCreateExclusive,  // must not exist, not even as a symbolic link; for reading and writing
};

enum class FileKind { kRegular, kFolder, kSymlink, kSocket, kOther };

struct FileStat {
  FileKind kind = FileKind::kOther;
  uint64_t size = 0;   // bytes; says something for regular files only
  uint32_t mode = 0;   // the permission bits, 07777
  uint64_t inode = 0;  // two names with one inode are one file
  uint64_t links = 1;  // how many names it has
  uint32_t owner = 0;
  uint32_t group = 0;
  absl::Time modified = {};
};

// An open file with a position. Used by one thread at a time; must not outlive its FileSystem. The destructor closes
// it without a word, so whoever has written calls Close.
class File {
 public:
  virtual ~File() = default;

  // What is open, whatever its name stands for by now.
  virtual absl::StatusOr<FileStat> Stat() = 0;

  // The next bytes: `max_bytes` of them, fewer only when the file ends there.
  virtual absl::StatusOr<std::string> Read(size_t max_bytes) = 0;

  // Writes all of `bytes` at the position. After an error any prefix of them may have been written.
  virtual absl::Status Write(absl::string_view bytes) = 0;

  // Writes all of `bytes` at `offset`; the position stays where it is. Errors as those of Write.
  virtual absl::Status WriteAt(uint64_t offset, absl::string_view bytes) = 0;

  // Cuts the file off at `size`, or makes it longer with zeros.
  virtual absl::Status Resize(uint64_t size) = 0;

  // fsync: returns when the file's bytes survive a power cut. Its name does not yet: FileSystem::SyncFolder.
  virtual absl::Status Sync() = 0;

  // flock: takes the file's exclusive lock and keeps it until the file is closed or the process ends. kUnavailable, at
  // once, when another handle has it.
  virtual absl::Status Lock() = 0;

  // A write lease: kUnavailable, at once, when anybody else, in whatever process, has the file open. From now on until
  // this handle is closed whoever opens it waits, a minute at most (the fake one, which cannot wait, answers
  // EWOULDBLOCK). Other errors mean that this file system, or this user, has no leases.
  virtual absl::Status TakeAlone() = 0;

  // The file is closed afterwards whatever is returned; a second call is an error.
  virtual absl::Status Close() = 0;
};

// Thread-safe; calls may block on the device. Never call it under a lock.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // `permissions` are for a file that is made here (the process's umask applies). A folder can be opened kRead.
  // Waits for who has taken the file alone, and for nobody else: a pipe that is opened kRead is open at once, whether
  // or not somebody writes to it.
  virtual absl::StatusOr<std::unique_ptr<File>> Open(const std::string& path, OpenMode mode, uint32_t permissions) = 0;
  absl::StatusOr<std::unique_ptr<File>> Open(const std::string& path, OpenMode mode) { return Open(path, mode, 0600); }

  // Replaces `to` when it is there: at every moment `to` is the old file or the new one. Links are not followed.
  virtual absl::Status Rename(const std::string& from, const std::string& to) = 0;

  // Swaps what two names, both of which are there, stand for: at every moment each is the one file or the other. Links
  // are not followed. EINVAL or ENOSYS where the system cannot do it.
  virtual absl::Status Exchange(const std::string& a, const std::string& b) = 0;

  // Gives what is at `from`, which is no folder, a second name. kAlreadyExists when there is something at `to`. Links
  // are not followed. EPERM or EOPNOTSUPP where the file system cannot do it.
  virtual absl::Status Link(const std::string& from, const std::string& to) = 0;

  // Removes a name that is not a folder's. A link is removed, not what it points at.
  virtual absl::Status Unlink(const std::string& path) = 0;

  // The names in a folder, sorted, without "." and "..".
  virtual absl::StatusOr<std::vector<std::string>> List(const std::string& folder) = 0;

  virtual absl::StatusOr<FileStat> Stat(const std::string& path) = 0;
  // As Stat, but of the link itself when the path ends in one.
  virtual absl::StatusOr<FileStat> Lstat(const std::string& path) = 0;

  // Makes a folder and those above it that are missing; a folder that is there is left as it is.
  virtual absl::Status MakeFolders(const std::string& folder, uint32_t permissions) = 0;

  // fsync: returns when the names made, renamed and removed in the folder so far survive a power cut.
  virtual absl::Status SyncFolder(const std::string& folder) = 0;

  virtual absl::Status Chmod(const std::string& path, uint32_t permissions) = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_FILE_SYSTEM_H_
