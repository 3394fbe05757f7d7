#include "kubelet_cm/control/control_server.h"

#include <utility>

#include "absl/memory/memory.h"
#include "absl/time/time.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

constexpr int kMaxRequestBytes = 8 << 20;  // manifests have a bound of their own
constexpr absl::Duration kGrace = absl::Milliseconds(500);

}  // namespace

ControlServer::ControlServer(FileSystem& files, std::string socket_path,
                             const ControlService::Dependencies& dependencies, ::kubeletcm::v1::VersionResponse version,
                             std::string node_name)
    : files_(files),
      log_(dependencies.log),
      socket_path_(std::move(socket_path)),
      service_(dependencies, std::move(version), std::move(node_name)) {}

absl::StatusOr<std::unique_ptr<ControlServer>> ControlServer::New(FileSystem& files, const std::string& socket_path,
                                                                  const ControlService::Dependencies& dependencies,
                                                                  ::kubeletcm::v1::VersionResponse version,
                                                                  std::string node_name) {
  auto server =
      absl::WrapUnique(new ControlServer(files, socket_path, dependencies, std::move(version), std::move(node_name)));
  ASSIGN_OR_RETURN(server->server_, UnixSocketServer::New(files, {&server->service_},
                                                          {.path = socket_path,
                                                           .socket_permissions = 0600,
                                                           .max_receive_bytes = kMaxRequestBytes,
                                                           .accept_with = &dependencies.threads,
                                                           .own_user_only = true}));
  return server;
}

void ControlServer::Shutdown() {
  const absl::Status removed = files_.Unlink(socket_path_);
  if (!removed.ok() && !absl::IsNotFound(removed)) log_.Error(removed, "Failed to remove the control socket");
  server_->Shutdown(kGrace);
}

}  // namespace kubelet_cm
