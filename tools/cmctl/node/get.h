// cmctl get: lists of what is on the node, once or as it changes.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_GET_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_GET_H_

#include <string>

#include "tools/cmctl/node/daemon_connection.h"
#include "tools/cmctl/tool_environment.h"

namespace kubelet_cm::cmctl {

struct GetOptions {
  std::string kind = {};            // devices, resources, plugins, pods, claims, endpoints, events
  std::string name = {};            // only this one, if it is not empty; of events: only this kind
  std::string namespace_name = {};  // for a name without one
  std::string output = "table";     // table, wide, json, yaml, name
  bool watch = false;
  bool no_headers = false;
  ConnectionFlags connection = {};
};

// kOk; kNotFound for a name that is not there; kFailed when a watch ends, as it does with the daemon.
int RunGet(const GetOptions& options, const ToolEnvironment& environment);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_GET_H_
