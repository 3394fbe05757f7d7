// cmctl checkpoint explain: a file in words, for who has to decide what to do with it.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_EXPLAIN_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_EXPLAIN_H_

#include <string>

#include "tools/cmctl/tool_environment.h"

namespace kubelet_cm::cmctl {

struct ExplainOptions {
  std::string file;
  std::string kubelet_version = {};  // empty: all of them
};

// kOk whatever is wrong with the file, as long as it could be read.
int RunExplain(const ExplainOptions& options, const ToolEnvironment& environment);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_EXPLAIN_H_
