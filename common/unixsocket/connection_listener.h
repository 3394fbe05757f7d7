// ConnectionListener: accepts connections of a unix socket, for a server that is not to be run over. gRPC's own
// listener goes silent for good when the process has no descriptor left; this one refuses connections, and does so
// while there are still some for others. It can look at who connects, too: permissions of the socket keep others out,
// but whoever may change them, or was handed a descriptor, gets no further.
#ifndef KUBELET_CM_COMMON_UNIXSOCKET_CONNECTION_LISTENER_H_
#define KUBELET_CM_COMMON_UNIXSOCKET_CONNECTION_LISTENER_H_

#include <sys/types.h>

#include <functional>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "common/threads/threads.h"

namespace kubelet_cm {

// Whether somebody may talk to a process of the user `own`: that user, and root.
bool IsUserAllowed(uid_t peer, uid_t own);

// Made and destroyed by one thread.
class ConnectionListener {
 public:
  struct Options {
    std::string path = {};                        // nothing is there; the file stays at the end
    std::function<bool(uid_t peer)> admits = {};  // none: every user
    int descriptors_percent = 90;  // of those that the process may have: beyond that, connections are refused
    // Called on the listener's thread; owns the connection, which does not block.
    std::function<void(int connection)> accepted = {};
  };

  // `threads` outlives the listener.
  static absl::StatusOr<std::unique_ptr<ConnectionListener>> New(Threads& threads, Options options);
  // `accepted` is not called any more.
  ~ConnectionListener();
  ConnectionListener(const ConnectionListener&) = delete;
  ConnectionListener& operator=(const ConnectionListener&) = delete;

 private:
  ConnectionListener(int socket, int ending, int spare, Options options);
  void Listen();
  void AcceptOne();
  bool IsWelcome(int connection) const;
  void RefuseOne();
  void Pause() const;

  const int socket_;
  const int ending_;  // a descriptor of eventfd: written to when Listen is to end
  int spare_;         // given up for a moment to refuse a connection when there are no descriptors; -1: lost
  const Options options_;
  std::unique_ptr<Thread> thread_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_UNIXSOCKET_CONNECTION_LISTENER_H_
