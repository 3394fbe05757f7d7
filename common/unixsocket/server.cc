#include "common/unixsocket/server.h"

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
#include "grpcpp/server_builder.h"

namespace kubelet_cm {
namespace {

struct SplitPath {
  std::string folder;
  std::string name;
};

SplitPath Split(const std::string& path) {
  const size_t slash = path.rfind('/');
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

// Null when gRPC cannot bind the path.
std::unique_ptr<grpc::Server> Listen(const std::string& path, const std::vector<grpc::Service*>& services,
                                     const UnixSocketServerOptions& options) {
  KeepGrpc();
  grpc::ServerBuilder builder;
  builder.AddListeningPort(SocketAddress(path), grpc::InsecureServerCredentials());
  builder.SetMaxReceiveMessageSize(options.max_receive_bytes);
  builder.SetMaxSendMessageSize(options.max_send_bytes);
  if (options.max_threads > 0) {
    builder.SetResourceQuota(grpc::ResourceQuota("unix socket").SetMaxThreads(options.max_threads));
  }
  for (grpc::Service* service : services) builder.RegisterService(service);
  return builder.BuildAndStart();
}

}  // namespace

absl::StatusOr<std::unique_ptr<UnixSocketServer>> UnixSocketServer::New(FileSystem& files,
                                                                        const std::vector<grpc::Service*>& services,
                                                                        const UnixSocketServerOptions& options) {
  RETURN_IF_ERROR(CheckSocketPath(options.path));
  const SplitPath split = Split(options.path);
  RETURN_IF_ERROR(PrepareSocketFolder(files, split.folder, options.folder_permissions));
  RETURN_IF_ERROR(StaleSocketAt(files, options.path).status());
  const std::string suffix = options.replace_atomically ? ".new" : "";
  const std::string bound_path = options.path + suffix;
  RETURN_IF_ERROR(RemoveStaleSocket(files, bound_path));

  ASSIGN_OR_RETURN(std::unique_ptr<ListeningFolder> folder, ListeningFolder::Open(split.folder));
  const std::string listening_path = folder->PathOf(split.name + suffix);
  RETURN_IF_ERROR(CheckSocketPath(listening_path));
  std::unique_ptr<grpc::Server> grpc_server = Listen(listening_path, services, options);
  if (grpc_server == nullptr) {
    return absl::UnavailableError(absl::StrCat("listen on unix socket ", bound_path, ": gRPC cannot bind it"));
  }
  auto server = absl::WrapUnique(new UnixSocketServer(std::move(folder), std::move(grpc_server)));
  RETURN_IF_ERROR(files.Chmod(bound_path, options.socket_permissions));
  if (options.replace_atomically) RETURN_IF_ERROR(files.Rename(bound_path, options.path));
  return server;
}

UnixSocketServer::UnixSocketServer(std::unique_ptr<ListeningFolder> folder, std::unique_ptr<grpc::Server> server)
    : folder_(std::move(folder)), server_(std::move(server)) {}

UnixSocketServer::~UnixSocketServer() { Shutdown(absl::ZeroDuration()); }

void UnixSocketServer::Shutdown(absl::Duration grace) {
  if (server_ == nullptr) return;
  folder_->TakeBack();
  server_->Shutdown(DeadlineIn(grace));
  server_.reset();
}

}  // namespace kubelet_cm
