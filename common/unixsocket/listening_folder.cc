#include "common/unixsocket/listening_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "absl/memory/memory.h"
#include "absl/strings/str_cat.h"
#include "common/status/check.h"
#include "common/status/errno_status.h"

namespace kubelet_cm {

absl::StatusOr<std::unique_ptr<ListeningFolder>> ListeningFolder::Open(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return ErrnoStatus(errno, absl::StrCat("open folder ", folder));
  const int nothing = ::open("/dev/null", O_PATH | O_CLOEXEC);
  if (nothing < 0) {
    const int error = errno;
    ::close(fd);
    return ErrnoStatus(error, "open /dev/null");
  }
  return absl::WrapUnique(new ListeningFolder(fd, nothing));
}

ListeningFolder::~ListeningFolder() {
  ::close(nothing_);
  ::close(fd_);
}

std::string ListeningFolder::PathOf(const std::string& name) const {
  return absl::StrCat("/proc/self/fd/", fd_, "/", name);
}

void ListeningFolder::TakeBack() {
  // The number keeps being taken, by something that is no folder: closed, it could come to mean another folder.
  CHECK(::dup3(nothing_, fd_, O_CLOEXEC) == fd_) << "errno " << errno;
}

}  // namespace kubelet_cm
