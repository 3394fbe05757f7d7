// cmctl checkpoint verify: whether files are what they should be.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_VERIFY_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_VERIFY_H_

#include <string>
#include <vector>

#include "tools/cmctl/tool_environment.h"

namespace kubelet_cm::cmctl {

struct VerifyOptions {
  std::vector<std::string> files;
  std::string kubelet_version = {};  // empty: of no version in particular
  bool invariants = false;
};

// The worst of the files' codes: kUsage, then kCorrupt, kFailed, kNotFound, kNotReadable, kOk.
int RunVerify(const VerifyOptions& options, const ToolEnvironment& environment);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_VERIFY_H_
