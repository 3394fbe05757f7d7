// The verbs of cmctl that tell of one thing on the node, or do something to the node.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_NODE_VERBS_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_NODE_VERBS_H_

#include <string>

#include "tools/cmctl/node/daemon_connection.h"
#include "tools/cmctl/tool_environment.h"

namespace kubelet_cm::cmctl {

// One thing: what kind of (pod, claim, resource, plugin), and its name as it was typed.
struct SubjectOptions {
  std::string kind = {};
  std::string name = {};
  std::string namespace_name = {};  // for a name without one
  std::string output = "text";      // explain: text, json, yaml
  ConnectionFlags connection = {};
};

struct ForgetOptions {
  std::string claim = {};           // as it was typed
  std::string namespace_name = {};  // for a name without one
  std::string who = {};             // empty: the user
  ConnectionFlags connection = {};
};

struct VersionOptions {
  bool client_only = false;
  std::string output = "text";  // text, json, yaml
  ConnectionFlags connection = {};
};

int RunDescribe(const SubjectOptions& options, const ToolEnvironment& environment);
int RunExplainNode(const SubjectOptions& options, const ToolEnvironment& environment);
int RunForgetClaim(const ForgetOptions& options, const ToolEnvironment& environment);
int RunDrain(const ConnectionFlags& connection, const ToolEnvironment& environment);
// kOk also without a daemon, which is said on standard error.
int RunVersion(const VersionOptions& options, const ToolEnvironment& environment);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_NODE_VERBS_H_
