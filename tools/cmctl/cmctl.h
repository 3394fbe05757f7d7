// cmctl, the command line for people on a node, as a function.
#ifndef KUBELET_CM_TOOLS_CMCTL_CMCTL_H_
#define KUBELET_CM_TOOLS_CMCTL_CMCTL_H_

#include <string>
#include <vector>

#include "tools/cmctl/tool_environment.h"

namespace kubelet_cm::cmctl {

// `arguments` without the program's name. Returns the exit code.
int RunCmctl(const std::vector<std::string>& arguments, const ToolEnvironment& environment);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CMCTL_H_
