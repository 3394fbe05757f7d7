#include "common/unixsocket/silent_socket.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "common/status/check.h"

namespace kubelet_cm {

SilentSocket::SilentSocket(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  CHECK(path.size() < sizeof(address.sun_path)) << path;
  std::memcpy(address.sun_path, path.data(), path.size());
  CHECK(::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0)
      << "bind " << path << ": errno " << errno;
  CHECK(::listen(fd_, /*backlog=*/16) == 0) << "listen " << path << ": errno " << errno;
}

SilentSocket::~SilentSocket() { ::close(fd_); }

}  // namespace kubelet_cm
