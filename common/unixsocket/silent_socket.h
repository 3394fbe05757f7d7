// SilentSocket: a unix socket that connections reach and on which nobody ever answers; for tests.
#ifndef KUBELET_CM_COMMON_UNIXSOCKET_SILENT_SOCKET_H_
#define KUBELET_CM_COMMON_UNIXSOCKET_SILENT_SOCKET_H_

#include <string>

namespace kubelet_cm {

// Listens while the object is there. Its file stays afterwards, as that of a killed process does.
class SilentSocket {
 public:
  explicit SilentSocket(const std::string& path);
  ~SilentSocket();
  SilentSocket(const SilentSocket&) = delete;
  SilentSocket& operator=(const SilentSocket&) = delete;

 private:
  const int fd_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_UNIXSOCKET_SILENT_SOCKET_H_
