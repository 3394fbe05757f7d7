// cmctl checkpoint show: what is in a file.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_SHOW_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_SHOW_H_

#include <string>

#include "tools/cmctl/tool_environment.h"

namespace kubelet_cm::cmctl {

struct ShowOptions {
  std::string file;
  std::string output = "table";  // table, wide, json or yaml
  bool show_response = false;
  bool show_secrets = false;
};

// kOk, or kCorrupt for a file that is shown as far as possible.
int RunShow(const ShowOptions& options, const ToolEnvironment& environment);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_SHOW_H_
