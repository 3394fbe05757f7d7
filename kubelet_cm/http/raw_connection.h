// RawConnection: a TCP connection to a port of the loopback interface, for tests that send what no HTTP client would.
#ifndef KUBELET_CM_KUBELET_CM_HTTP_RAW_CONNECTION_H_
#define KUBELET_CM_KUBELET_CM_HTTP_RAW_CONNECTION_H_

#include <string>

namespace kubelet_cm::http {

class RawConnection {
 public:
  // Connected; a test fails where it cannot be.
  explicit RawConnection(int port);
  ~RawConnection();
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;

  // False when the other end is gone.
  bool Send(const std::string& bytes);
  // Everything up to the end of the connection, however it ends.
  std::string ReadAll();

  std::string Exchange(const std::string& request) {
    Send(request);
    return ReadAll();
  }

 private:
  const int socket_;
};

}  // namespace kubelet_cm::http

#endif  // KUBELET_CM_KUBELET_CM_HTTP_RAW_CONNECTION_H_
