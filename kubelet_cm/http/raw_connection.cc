#include "kubelet_cm/http/raw_connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "common/status/check.h"

namespace kubelet_cm::http {

RawConnection::RawConnection(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) << "no server at " << port;
}

RawConnection::~RawConnection() { close(socket_); }

bool RawConnection::Send(const std::string& bytes) {
  return send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

std::string RawConnection::ReadAll() {
  std::string all;
  std::array<char, 4096> bytes = {};
  ssize_t count = 0;
  while ((count = recv(socket_, bytes.data(), bytes.size(), 0)) > 0)
    all.append(bytes.data(), static_cast<size_t>(count));
  return all;
}

}  // namespace kubelet_cm::http
