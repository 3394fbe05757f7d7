// cmctl checkpoint convert and repair: a file written anew, in another format, or as what is left of it.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_REWRITE_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_REWRITE_H_

#include <string>

#include "tools/cmctl/checkpoint/output_file.h"
#include "tools/cmctl/tool_environment.h"

namespace kubelet_cm::cmctl {

struct ConvertOptions {
  std::string file;
  std::string to = {};
  OutputOptions output = {};
};

// A warning on standard error for everything that the format cannot hold. kCorrupt for a file that is not valid.
int RunConvert(const ConvertOptions& options, const ToolEnvironment& environment);

struct RepairOptions {
  std::string file;
  std::string to = {};  // empty: the format that the file has or seems to have
  OutputOptions output = {};
};

// What was lost stands on standard error. A valid file is written as it is, whatever the format.
int RunRepair(const RepairOptions& options, const ToolEnvironment& environment);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_REWRITE_H_
