#include "kubelet_cm/life/live_sockets.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"
#include "common/unixsocket/socket_path.h"

namespace kubelet_cm::life {

absl::StatusOr<bool> SomebodyListens(const std::string& path) {
  RETURN_IF_ERROR(CheckSocketPath(path));
  const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (probe < 0) return ErrnoStatus(errno, "socket");
  const absl::Cleanup close_probe = [probe] { close(probe); };
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  if (connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) return true;
  switch (errno) {
    case EAGAIN:  // somebody who is busy
      return true;
    case ECONNREFUSED:
    case ENOENT:
    case ENOTDIR:
      return false;
    default:
      return ErrnoStatus(errno, absl::StrCat("connect ", path));
  }
}

absl::Status CheckNobodyListens(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(const bool listens, SomebodyListens(path));
    if (listens) {
      return absl::UnavailableError(
          absl::StrCat("a kubelet, or another kubelet_cm, serves ", path, ": stop it, or choose another --root-dir"));
    }
  }
  return absl::OkStatus();
}

}  // namespace kubelet_cm::life
