#include "common/unixsocket/server.h"

#include <unistd.h>

#include <functional>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "common/unixsocket/deadline.h"
#include "common/unixsocket/grpc_lifetime.h"
#include "common/unixsocket/socket_file.h"
#include "common/unixsocket/socket_path.h"
#include "grpcpp/resource_quota.h"
#include "grpcpp/security/server_credentials.h"

namespace kubelet_cm {
namespace {

// How long a connection may be there that does not begin to speak HTTP/2.
constexpr int kSilentMilliseconds = 20'000;

// gRPC gathers a message before it looks at its length, as long as it announces. Beyond this it ends calls instead.
constexpr size_t kMostQuotaBytes = size_t{64} << 20;

struct SplitPath {
  std::string folder;
  std::string name;
};

SplitPath Split(const std::string& path) {
  const size_t slash = path.rfind('/');
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

}  // namespace

// Without a server when gRPC cannot bind the path.
UnixSocketServer::Listening UnixSocketServer::Listen(const std::string& path,
                                                     const std::vector<grpc::Service*>& services,
                                                     const UnixSocketServerOptions& options) {
  KeepGrpc();
  grpc::ServerBuilder builder;
  Listening listening;
  if (options.accept_with == nullptr) {
    builder.AddListeningPort(SocketAddress(path), grpc::InsecureServerCredentials());
  } else {
    listening.acceptor = builder.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD, grpc::InsecureServerCredentials());
  }
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, kSilentMilliseconds);
  builder.SetMaxReceiveMessageSize(options.max_receive_bytes);
  builder.SetMaxSendMessageSize(options.max_send_bytes);
  grpc::ResourceQuota quota("unix socket");
  if (options.accept_with != nullptr) quota.Resize(kMostQuotaBytes);
  if (options.max_threads > 0) quota.SetMaxThreads(options.max_threads);
  builder.SetResourceQuota(quota);
  for (grpc::Service* service : services) builder.RegisterService(service);
  listening.server = builder.BuildAndStart();
  return listening;
}

absl::StatusOr<std::unique_ptr<UnixSocketServer>> UnixSocketServer::New(FileSystem& files,
                                                                        const std::vector<grpc::Service*>& services,
                                                                        const UnixSocketServerOptions& options) {
  RETURN_IF_ERROR(CheckSocketPath(options.path));
  const SplitPath split = Split(options.path);
  RETURN_IF_ERROR(PrepareSocketFolder(files, split.folder, options.folder_permissions));
  RETURN_IF_ERROR(StaleSocketAt(files, options.path).status());
  // Those who look for sockets in the folder pass by names that begin with a dot: kubelets in their plugins', too.
  const std::string bound_name = absl::StrCat(".", split.name);
  const std::string bound_path = absl::StrCat(split.folder == "/" ? "" : split.folder, "/", bound_name);
  RETURN_IF_ERROR(RemoveStaleSocket(files, bound_path));
  if (!options.replace_atomically) RETURN_IF_ERROR(RemoveStaleSocket(files, options.path));

  ASSIGN_OR_RETURN(std::unique_ptr<ListeningFolder> folder, ListeningFolder::Open(split.folder));
  const std::string listening_path = folder->PathOf(bound_name);
  RETURN_IF_ERROR(CheckSocketPath(listening_path));
  Listening listening = Listen(listening_path, services, options);
  if (listening.server == nullptr) {
    return absl::UnavailableError(absl::StrCat("listen on unix socket ", bound_path, ": gRPC cannot bind it"));
  }
  auto server = absl::WrapUnique(new UnixSocketServer(std::move(folder), std::move(listening)));
  if (options.accept_with != nullptr) {
    const auto serve = [acceptor = server->acceptor_.get(), accepted = options.accepted](int connection) {
      if (accepted != nullptr) accepted();
      Acceptor::NewConnectionParameters parameters;
      parameters.fd = connection;
      acceptor->HandleNewConnection(&parameters);
    };
    std::function<bool(uid_t)> admits;
    if (options.own_user_only) admits = [](uid_t peer) { return IsUserAllowed(peer, geteuid()); };
    ASSIGN_OR_RETURN(server->listener_,
                     ConnectionListener::New(*options.accept_with, {.path = listening_path,
                                                                    .admits = admits,
                                                                    .descriptors_percent = options.descriptors_percent,
                                                                    .accepted = serve}));
  }
  RETURN_IF_ERROR(files.Chmod(bound_path, options.socket_permissions));
  RETURN_IF_ERROR(options.replace_atomically ? files.Rename(bound_path, options.path)
                                             : PublishSocket(files, bound_path, options.path));
  return server;
}

UnixSocketServer::UnixSocketServer(std::unique_ptr<ListeningFolder> folder, Listening listening)
    : folder_(std::move(folder)), acceptor_(std::move(listening.acceptor)), server_(std::move(listening.server)) {}

UnixSocketServer::~UnixSocketServer() { Shutdown(absl::ZeroDuration()); }

void UnixSocketServer::Shutdown(absl::Duration grace) {
  if (server_ == nullptr) return;
  folder_->TakeBack();
  listener_.reset();
  server_->Shutdown(DeadlineIn(grace));
  server_.reset();
}

}  // namespace kubelet_cm
