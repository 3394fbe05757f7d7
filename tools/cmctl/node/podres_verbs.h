// cmctl podres: the podresources API, of this project's daemon or of any kubelet.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_PODRES_VERBS_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_PODRES_VERBS_H_

#include <string>

#include "tools/cmctl/node/daemon_connection.h"
#include "tools/cmctl/tool_environment.h"

namespace kubelet_cm::cmctl {

struct PodresOptions {
  std::string call = {};            // list, get, allocatable
  std::string pod = {};             // get: NAME or NAMESPACE/NAME
  std::string namespace_name = {};  // for a NAME
  std::string output = "table";     // table, json, yaml
  bool no_headers = false;
  std::string endpoint = {};  // the socket; empty: pod-resources/kubelet.sock in the daemon's root folder
  std::string root_dir = {};
};

int RunPodres(const PodresOptions& options, const ToolEnvironment& environment);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_PODRES_VERBS_H_
