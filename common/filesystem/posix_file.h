// PosixFile: an open descriptor. Made by PosixFileSystem::Open only.
#ifndef KUBELET_CM_COMMON_FILESYSTEM_POSIX_FILE_H_
#define KUBELET_CM_COMMON_FILESYSTEM_POSIX_FILE_H_

#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/filesystem/file_system.h"

namespace kubelet_cm {

// The result of `call`, a system call that returns -1 and sets errno, repeated while a signal interrupts it.
template <typename Call>
auto RetryInterrupted(Call call) -> decltype(call()) {
  for (;;) {
    const auto result = call();
    if (result != -1 || errno != EINTR) return result;
  }
}

// What the kernel says of a file, in our words.
FileStat FileStatOf(const struct stat& raw);

class PosixFile : public File {
 public:
  // Takes over `descriptor`; `path` is for messages.
  PosixFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  ~PosixFile() override;
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;

  absl::StatusOr<FileStat> Stat() override;
  absl::StatusOr<std::string> Read(size_t max_bytes) override;
  absl::Status Write(absl::string_view bytes) override;
  absl::Status WriteAt(uint64_t offset, absl::string_view bytes) override;
  absl::Status Resize(uint64_t size) override;
  absl::Status Sync() override;
  absl::Status Lock() override;
  absl::Status TakeAlone() override;
  absl::Status Close() override;

 private:
  absl::Status Error(absl::string_view call) const;
  absl::Status WritePart(absl::string_view bytes);
  void GiveLeaseBack();

  int descriptor_;  // -1 once closed: the kernel answers EBADF to whatever comes then
  bool has_lease_ = false;
  const std::string path_;
  std::optional<size_t> size_;  // when it was asked for; a hint only: the file may be another length by now
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_POSIX_FILE_H_
