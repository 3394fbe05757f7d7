// NodeConnections: the seam through which cmctl reaches what runs on the node.
//
//  - SocketConnections (socket_connections.h): over sockets and loopback HTTP.
//  - FakeConnections (fake_connections.h, tests only).
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_NODE_CONNECTIONS_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_NODE_CONNECTIONS_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "deviceplugin/api/plugin_api.h"
#include "deviceplugin/endpoint/plugin_client.h"
#include "tools/cmctl/node/control_client.h"
#include "tools/cmctl/node/pod_resources_client.h"
#include "tools/cmctl/node/socket_report.h"

namespace kubelet_cm::cmctl {

// Used by one thread; outlives what it makes. Paths are absolute.
class NodeConnections {
 public:
  NodeConnections() = default;
  NodeConnections(const NodeConnections&) = delete;
  NodeConnections& operator=(const NodeConnections&) = delete;
  virtual ~NodeConnections() = default;

  // Neither has connected when it returns: the first call does.
  virtual absl::StatusOr<std::unique_ptr<ControlClient>> Control(const std::string& socket_path) = 0;
  virtual absl::StatusOr<std::unique_ptr<PodResourcesClient>> PodResources(const std::string& socket_path) = 0;

  // Connected to a device plugin that speaks this API.
  virtual absl::StatusOr<std::unique_ptr<deviceplugin::PluginClient>> Plugin(const std::string& socket_path,
                                                                             deviceplugin::PluginApi api) = 0;
  // What answers at a socket. kUnavailable when nobody does.
  virtual absl::StatusOr<SocketReport> Probe(const std::string& socket_path) = 0;

  // The daemon's page: "127.0.0.1", 10248, "/metrics".
  virtual absl::StatusOr<std::string> Page(const std::string& address, int port, const std::string& path) = 0;
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_NODE_CONNECTIONS_H_
