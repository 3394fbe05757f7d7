#include "deviceplugin/registration/registration_server.h"

#include <cstdint>

#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/filesystem/path.h"
#include "common/status/status_macros.h"
#include "common/unixsocket/socket_file.h"
#include "deviceplugin/registration/registration_service.h"
#include "deviceplugin/registration/socket_sweep.h"

namespace kubelet_cm::deviceplugin {
namespace {

constexpr uint32_t kFolderPermissions = 0750;
// A registration waits for its plugin on a thread. All plugins of a node come at once when a kubelet has started.
constexpr int kMaxThreads = 256;
// Plugins that register over and over do not keep the node's agents out.
constexpr int kDescriptorsPercent = 75;

}  // namespace

absl::StatusOr<std::unique_ptr<RegistrationServer>> RegistrationServer::New(FileSystem& files,
                                                                            const RegistrationDeps& deps,
                                                                            RegistrationHealth& health,
                                                                            const RegistrationServerOptions& options) {
  if (!options.socket_path.starts_with('/')) {
    return absl::InvalidArgumentError(absl::StrCat("bad socketPath, must be an absolute path: ", options.socket_path));
  }
  if (options.offered.empty()) return absl::InvalidArgumentError("no device plugin API is offered");
  deps.log.V(2).Info("Creating device plugin registration server",
                     {{"version", ApiVersion(options.offered.front())}, {"socket", options.socket_path}});
  auto server = absl::WrapUnique(new RegistrationServer(deps, health, options));
  if (absl::Status started = server->Start(files, deps.log, options); !started.ok()) {
    health.SetFailed(started);
    return started;
  }
  health.SetFine();
  return server;
}

RegistrationServer::RegistrationServer(const RegistrationDeps& deps, RegistrationHealth& health,
                                       const RegistrationServerOptions& options)
    : log_(deps.log),
      health_(health),
      desk_(deps, {.folder = FolderOf(options.socket_path), .offered = options.offered}),
      services_(MakeRegistrationServices(desk_, options.offered)) {}

absl::Status RegistrationServer::Start(FileSystem& files, Logger& log, const RegistrationServerOptions& options) {
  log.V(2).Info("Starting device plugin registration server");
  const std::string folder = FolderOf(options.socket_path);
  RETURN_IF_ERROR(PrepareSocketFolder(files, folder, kFolderPermissions));
  RETURN_IF_ERROR(SweepSockets(files, folder, options.checkpoint_name, log));
  std::vector<grpc::Service*> services;
  for (const auto& service : services_) services.push_back(service.get());
  ASSIGN_OR_RETURN(server_, UnixSocketServer::New(files, services,
                                                  {.path = options.socket_path,
                                                   .folder_permissions = kFolderPermissions,
                                                   .max_threads = kMaxThreads,
                                                   .accept_with = options.accept_with,
                                                   .descriptors_percent = kDescriptorsPercent}));
  return absl::OkStatus();
}

RegistrationServer::~RegistrationServer() { Shutdown(); }

void RegistrationServer::Shutdown() {
  if (server_ == nullptr) return;
  log_.V(2).Info("Stopping device plugin registration server");
  server_->Shutdown(absl::ZeroDuration());
  server_.reset();
  health_.SetFine();
}

}  // namespace kubelet_cm::deviceplugin
