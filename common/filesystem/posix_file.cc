#include "common/filesystem/posix_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

// What one read asks for at first; doubled while there is more, so that a generous bound costs no memory.
constexpr size_t kFirstReadBytes = 64 << 10;
// What is at least as large is given to the disk in two parts.
constexpr size_t kTwoParts = 128 << 10;

FileKind KindOf(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::kRegular;
  if (S_ISDIR(mode)) return FileKind::kFolder;
  if (S_ISLNK(mode)) return FileKind::kSymlink;
  if (S_ISSOCK(mode)) return FileKind::kSocket;
  return FileKind::kOther;
}

}  // namespace

FileStat FileStatOf(const struct stat& raw) {
  FileStat result;
  result.kind = KindOf(raw.st_mode);
  result.size = static_cast<uint64_t>(raw.st_size);
  result.mode = raw.st_mode & 07777;
  result.inode = raw.st_ino;
  result.links = raw.st_nlink;
  result.owner = raw.st_uid;
  result.group = raw.st_gid;
  result.modified = absl::TimeFromTimespec(raw.st_mtim);
  return result;
}

PosixFile::~PosixFile() {
  GiveLeaseBack();
  if (descriptor_ >= 0) close(descriptor_);
}

absl::Status PosixFile::Error(absl::string_view call) const {
  return ErrnoStatus(errno, absl::StrCat(call, " ", path_));
}

absl::StatusOr<FileStat> PosixFile::Stat() {
  struct stat raw;
  if (fstat(descriptor_, &raw) != 0) return Error("fstat");
  size_ = static_cast<size_t>(std::max<off_t>(raw.st_size, 0));
  return FileStatOf(raw);
}

absl::StatusOr<std::string> PosixFile::Read(size_t max_bytes) {
  // With room for what the file says it has, and one more to see its end: nothing is copied and little is cleared. What
  // says nothing (a pipe, /proc) or grows meanwhile gets more as it comes.
  if (!size_.has_value()) RETURN_IF_ERROR(Stat().status());
  const size_t size = *size_;
  const size_t expected = size > 0 ? size + 1 : kFirstReadBytes;
  std::string bytes;
  size_t done = 0;
  while (done < max_bytes) {
    if (done == bytes.size()) bytes.resize(std::min(max_bytes, std::max(expected, done * 2)));
    const ssize_t count = RetryInterrupted([&] { return read(descriptor_, bytes.data() + done, bytes.size() - done); });
    if (count < 0) return Error("read");
    if (count == 0) break;
    done += static_cast<size_t>(count);
    // The end has been seen when a file of a known size gives less than it was asked for: no further call is needed.
    if (size > 0 && done >= size && done < bytes.size()) break;
  }
  bytes.resize(done);
  return bytes;
}

absl::Status PosixFile::Write(absl::string_view bytes) {
  if (bytes.size() < kTwoParts) return WritePart(bytes);
  const size_t half = bytes.size() / 2;
  RETURN_IF_ERROR(WritePart(bytes.substr(0, half)));
  // The disk writes the first half while the second one is being copied, and Sync has less to wait for. It is a hint:
  // Sync tells what becomes of it. More parts than two fill the disk's queue, which takes longer than one.
  static_cast<void>(sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE));
  return WritePart(bytes.substr(half));
}

absl::Status PosixFile::WritePart(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = RetryInterrupted([&] { return write(descriptor_, bytes.data(), bytes.size()); });
    if (count < 0) return Error("write");
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return absl::OkStatus();
}

absl::Status PosixFile::WriteAt(uint64_t offset, absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count =
        RetryInterrupted([&] { return pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset)); });
    if (count < 0) return Error("write");
    bytes.remove_prefix(static_cast<size_t>(count));
    offset += static_cast<uint64_t>(count);
  }
  return absl::OkStatus();
}

absl::Status PosixFile::Resize(uint64_t size) {
  if (RetryInterrupted([&] { return ftruncate(descriptor_, static_cast<off_t>(size)); }) != 0) {
    return Error("truncate");
  }
  return absl::OkStatus();
}

absl::Status PosixFile::Sync() {
  if (RetryInterrupted([&] { return fsync(descriptor_); }) != 0) return Error("fsync");
  return absl::OkStatus();
}

absl::Status PosixFile::Lock() {
  if (RetryInterrupted([&] { return flock(descriptor_, LOCK_EX | LOCK_NB); }) != 0) return Error("flock");
  return absl::OkStatus();
}

absl::Status PosixFile::TakeAlone() {
  // When somebody opens the file, the kernel has him wait and tells the holder of the lease by a signal. That would be
  // SIGIO, which ends a process that does not expect it; SIGURG is ignored by who does not expect it. There is nothing
  // to do about it: the handle is closed soon anyway.
  if (fcntl(descriptor_, F_SETSIG, SIGURG) != 0) return Error("lease");
  if (fcntl(descriptor_, F_SETLEASE, F_WRLCK) != 0) return Error("lease");
  has_lease_ = true;
  return absl::OkStatus();
}

void PosixFile::GiveLeaseBack() {
  // Closing does so only when no other process has inherited the handle, be it between fork and exec.
  if (std::exchange(has_lease_, false)) static_cast<void>(fcntl(descriptor_, F_SETLEASE, F_UNLCK));
}

absl::Status PosixFile::Close() {
  GiveLeaseBack();
  // Not repeated: Linux gives the descriptor back even when a signal interrupts, and another thread may have it by now.
  if (close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) return Error("close");
  return absl::OkStatus();
}

}  // namespace kubelet_cm
