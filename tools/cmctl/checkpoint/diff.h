// cmctl checkpoint diff: what two files say differently, whatever their formats.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_DIFF_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_DIFF_H_

#include <string>

#include "tools/cmctl/tool_environment.h"

namespace kubelet_cm::cmctl {

struct DiffOptions {
  std::string a;
  std::string b;
  bool show_secrets = false;
};

// kOk: they say the same. kDifferent. Greater: they could not be compared.
int RunDiff(const DiffOptions& options, const ToolEnvironment& environment);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_DIFF_H_
