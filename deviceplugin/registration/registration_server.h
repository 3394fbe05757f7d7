// RegistrationServer: the kubelet's socket in the device plugin folder, at which plugins register.
//
// It opens last of all, as in a kubelet: the folder is made, the plugins' old sockets are removed, which tells them to
// register again, and then the socket is bound. So whoever makes it is ready for plugins.
#ifndef KUBELET_CM_DEVICEPLUGIN_REGISTRATION_REGISTRATION_SERVER_H_
#define KUBELET_CM_DEVICEPLUGIN_REGISTRATION_REGISTRATION_SERVER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/filesystem/file_system.h"
#include "common/threads/threads.h"
#include "common/unixsocket/server.h"
#include "deviceplugin/api/plugin_api.h"
#include "deviceplugin/registration/registration_desk.h"
#include "deviceplugin/registration/registration_health.h"
#include "grpcpp/impl/service_type.h"

namespace kubelet_cm::deviceplugin {

struct RegistrationServerOptions {
  std::string socket_path = "/var/lib/kubelet/device-plugins/kubelet.sock";
  // What the emulated kubelet speaks: the services that are there, and the texts of their refusals, follow from it.
  std::vector<PluginApi> offered = {PluginApi::kV1Beta1, PluginApi::kV1Alpha2, PluginApi::k01};
  Threads* accept_with = nullptr;                               // as of UnixSocketServerOptions
  std::string checkpoint_name = "kubelet_internal_checkpoint";  // stays when the folder is swept
};

// Shutdown and destruction by one thread; the handler is called by threads of gRPC.
class RegistrationServer {
 public:
  // Serving when it returns. `files` is the real file system. All of it outlives the server; `health` is told how it
  // went. kInvalidArgument with upstream's text when the path is not absolute.
  static absl::StatusOr<std::unique_ptr<RegistrationServer>> New(FileSystem& files, const RegistrationDeps& deps,
                                                                 RegistrationHealth& health,
                                                                 const RegistrationServerOptions& options);

  // As Shutdown.
  ~RegistrationServer();
  RegistrationServer(const RegistrationServer&) = delete;
  RegistrationServer& operator=(const RegistrationServer&) = delete;

  // Takes no more registrations and returns when the handler has answered those under way. The socket's file stays. A
  // second call does nothing.
  void Shutdown();

 private:
  RegistrationServer(const RegistrationDeps& deps, RegistrationHealth& health,
                     const RegistrationServerOptions& options);
  absl::Status Start(FileSystem& files, Logger& log, const RegistrationServerOptions& options);

  Logger& log_;
  RegistrationHealth& health_;
  RegistrationDesk desk_;
  const std::vector<std::unique_ptr<grpc::Service>> services_;
  std::unique_ptr<UnixSocketServer> server_;  // null before Start and after Shutdown
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_REGISTRATION_REGISTRATION_SERVER_H_
