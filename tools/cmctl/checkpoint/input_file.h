// Files that a verb reads: by path, or "-" for standard input.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_INPUT_FILE_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_INPUT_FILE_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tools/cmctl/checkpoint/state_file.h"
#include "tools/cmctl/tool_environment.h"

namespace kubelet_cm::cmctl {

// "standard input" for "-".
std::string DisplayName(const std::string& path);

// NotFound, or ResourceExhausted for a file that is larger than state files may be.
absl::StatusOr<std::string> ReadInput(const std::string& path, const ToolEnvironment& environment);

// The exit code of an error of ReadInput.
int ExitCodeOf(const absl::Status& status);

// One line on standard error: "cmctl: FILE: reason".
void Complain(const ToolEnvironment& environment, const std::string& path, const std::string& reason);

// The file, of whatever kind it is; complains and returns nothing if it could not be read, with the exit code.
struct OpenedFile {
  std::unique_ptr<StateFile> file;
  int exit_code = kOk;
};
OpenedFile OpenStateFile(const std::string& path, const ToolEnvironment& environment);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_INPUT_FILE_H_
