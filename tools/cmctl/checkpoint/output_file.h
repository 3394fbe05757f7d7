// Files that a verb writes: never over another without --force, in place only with a backup.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_OUTPUT_FILE_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_OUTPUT_FILE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tools/cmctl/tool_environment.h"

namespace kubelet_cm::cmctl {

struct OutputOptions {
  std::string out = {};  // "-": standard output
  bool in_place = false;
  bool dry_run = false;
  bool force = false;
};

// Whether the options fit together and the input: exactly one of `out` and `in_place`, and no standard input in place.
absl::Status CheckOutputOptions(const OutputOptions& options, const std::string& input);

// Writes `bytes`, and says on standard error what was written where, or with dry_run what would be. `input` is the file
// that they were made from, `original` its bytes: in place, they are kept as FILE.bak-<UTC time>.
absl::Status WriteOutput(const OutputOptions& options, const std::string& input, const std::string& original,
                         const std::string& bytes, const ToolEnvironment& environment);

// A copy of a file beside it, durable, under a name that was free: returns that name.
absl::StatusOr<std::string> BackUp(const std::string& path, const std::string& bytes, uint32_t mode,
                                   const ToolEnvironment& environment);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_OUTPUT_FILE_H_
