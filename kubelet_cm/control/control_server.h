// ControlServer: the control API on its unix socket, which only the daemon's own user and root can open.
#ifndef KUBELET_CM_KUBELET_CM_CONTROL_CONTROL_SERVER_H_
#define KUBELET_CM_KUBELET_CM_CONTROL_CONTROL_SERVER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "common/filesystem/file_system.h"
#include "common/unixsocket/server.h"
#include "kubelet_cm/control/control_service.h"

namespace kubelet_cm {

// Made, shut down and destroyed by one thread.
class ControlServer {
 public:
  // Serving when it returns. What is given outlives the server; `files` is the real file system.
  static absl::StatusOr<std::unique_ptr<ControlServer>> New(FileSystem& files, const std::string& socket_path,
                                                            const ControlService::Dependencies& dependencies,
                                                            ::kubeletcm::v1::VersionResponse version,
                                                            std::string node_name);
  // Cuts the calls that there are; the socket stays.
  ~ControlServer() = default;
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  // Takes no more calls, and removes the socket. Calls that are still answered are cut after a second.
  void Shutdown();

 private:
  ControlServer(FileSystem& files, std::string socket_path, const ControlService::Dependencies& dependencies,
                ::kubeletcm::v1::VersionResponse version, std::string node_name);

  FileSystem& files_;
  Logger& log_;
  const std::string socket_path_;
  ControlService service_;
  std::unique_ptr<UnixSocketServer> server_;  // null before New is through
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_CONTROL_CONTROL_SERVER_H_
