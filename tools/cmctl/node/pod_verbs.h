// The verbs of cmctl that do something to a pod.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_POD_VERBS_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_POD_VERBS_H_

#include <string>

#include "tools/cmctl/node/daemon_connection.h"
#include "tools/cmctl/tool_environment.h"

namespace kubelet_cm::cmctl {

// Which pod, as it was typed: a uid, NAME or NAMESPACE/NAME.
struct PodChoice {
  std::string pod = {};
  std::string namespace_name = {};  // for a NAME
  ConnectionFlags connection = {};
};

struct AdmitOptions {
  std::string file = {};        // "-": standard input
  std::string output = "text";  // text, json, yaml
  ConnectionFlags connection = {};
};

struct DeleteOptions {
  PodChoice choice = {};
  bool force = false;
};

struct ContainerOptionsOptions {
  PodChoice choice = {};
  std::string container = {};
  std::string output = "text";  // text, json, yaml
  bool show_secrets = false;    // the values of environment variables
};

// Each pod of the file, one after another. kRefused if the daemon refused one of them.
int RunAdmit(const AdmitOptions& options, const ToolEnvironment& environment);
// kRefused while its claims could not be prepared.
int RunPrepare(const PodChoice& choice, const ToolEnvironment& environment);
// kRefused while the pod is terminating.
int RunDelete(const DeleteOptions& options, const ToolEnvironment& environment);
int RunStarted(const PodChoice& choice, const std::string& container, const ToolEnvironment& environment);
int RunExited(const PodChoice& choice, const std::string& container, const ToolEnvironment& environment);
int RunContainerOptions(const ContainerOptionsOptions& options, const ToolEnvironment& environment);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_POD_VERBS_H_
