// SocketConnections: what runs on this machine, over unix sockets and loopback HTTP.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_SOCKET_CONNECTIONS_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_SOCKET_CONNECTIONS_H_

#include <memory>
#include <string>

#include "common/filesystem/file_system.h"
#include "common/log/logger.h"
#include "tools/cmctl/node/node_connections.h"

namespace kubelet_cm::cmctl {

class SocketConnections : public NodeConnections {
 public:
  // The real file system. Both outlive the object and what it makes.
  SocketConnections(FileSystem& files, Logger& log) : files_(files), log_(log) {}

  absl::StatusOr<std::unique_ptr<ControlClient>> Control(const std::string& socket_path) override;
  absl::StatusOr<std::unique_ptr<PodResourcesClient>> PodResources(const std::string& socket_path) override;
  absl::StatusOr<std::unique_ptr<deviceplugin::PluginClient>> Plugin(const std::string& socket_path,
                                                                     deviceplugin::PluginApi api) override;
  absl::StatusOr<SocketReport> Probe(const std::string& socket_path) override;
  absl::StatusOr<std::string> Page(const std::string& address, int port, const std::string& path) override;

 private:
  FileSystem& files_;
  Logger& log_;
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_SOCKET_CONNECTIONS_H_
