// UnixSocketServer: gRPC services on a unix socket, and nowhere else.
//
// In the order of a kubelet: the folder is made (one that everybody may write to is refused), a socket that an earlier
// process left is removed, the new one is bound, gets its permissions, and then its name: whoever sees it can connect.
// Any :authority is accepted; Go programs send "localhost" or the path. The socket file stays after Shutdown, as a
// kubelet's does, so that a successor at the same path is never disturbed by its predecessor's end; whoever wants it
// gone unlinks it.
#ifndef KUBELET_CM_COMMON_UNIXSOCKET_SERVER_H_
#define KUBELET_CM_COMMON_UNIXSOCKET_SERVER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/filesystem/file_system.h"
#include "common/threads/threads.h"
#include "common/unixsocket/connection_listener.h"
#include "common/unixsocket/listening_folder.h"
#include "grpcpp/impl/service_type.h"
#include "grpcpp/server.h"
#include "grpcpp/server_builder.h"

namespace kubelet_cm {

struct UnixSocketServerOptions {
  std::string path = {};  // absolute
  uint32_t socket_permissions = 0600;
  uint32_t folder_permissions = 0750;  // where it is made
  // Leaves the socket of an earlier process until the new one takes its place, so that at no moment there is none at
  // `path`. Those who watch the folder then see a name that moves in, instead of one that goes and one that is made.
  bool replace_atomically = false;
  int max_receive_bytes = 4 << 20;  // a longer request is answered ResourceExhausted
  int max_send_bytes = -1;          // unlimited
  // On how many threads handlers run, and answers wait until clients fetch them; calls beyond that are answered
  // ResourceExhausted. 4 or more; 0: as many as there are calls.
  int max_threads = 0;
  // Set: connections are accepted by a thread of ours (ConnectionListener), which refuses some rather than running out
  // of descriptors; and calls are ended rather than that what they send takes some 64 MiB together.
  Threads* accept_with = nullptr;
  std::function<void()> accepted = {};  // with accept_with: called for each connection that is served, by its thread
  bool own_user_only = false;           // with accept_with: besides root, only this process's user is served
  int descriptors_percent = 90;  // with accept_with: beyond so many of the process's descriptors nobody is served
};

// Shutdown and destruction by one thread; handlers run on threads of gRPC.
class UnixSocketServer {
 public:
  // Serving when it returns. The services outlive the server. `files` is the real file system: gRPC makes the socket.
  static absl::StatusOr<std::unique_ptr<UnixSocketServer>> New(FileSystem& files,
                                                               const std::vector<grpc::Service*>& services,
                                                               const UnixSocketServerOptions& options);

  // As Shutdown with no grace.
  ~UnixSocketServer();
  UnixSocketServer(const UnixSocketServer&) = delete;
  UnixSocketServer& operator=(const UnixSocketServer&) = delete;

  // Takes no more calls, cancels those that are still running after `grace`, and returns when their handlers have
  // returned. A second call does nothing.
  void Shutdown(absl::Duration grace);

 private:
  // gRPC's side of connections that we accept.
  using Acceptor = grpc::experimental::ExternalConnectionAcceptor;
  struct Listening {
    std::unique_ptr<Acceptor> acceptor;
    std::unique_ptr<grpc::Server> server;
  };

  UnixSocketServer(std::unique_ptr<ListeningFolder> folder, Listening listening);
  static Listening Listen(const std::string& path, const std::vector<grpc::Service*>& services,
                          const UnixSocketServerOptions& options);

  const std::unique_ptr<ListeningFolder> folder_;
  const std::unique_ptr<Acceptor> acceptor_;  // null: gRPC accepts
  std::unique_ptr<grpc::Server> server_;      // null after Shutdown
  std::unique_ptr<ConnectionListener> listener_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_UNIXSOCKET_SERVER_H_
