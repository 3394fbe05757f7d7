// What a verb of cmctl may touch: streams, files, the time. main makes the real one, tests one in memory.
#ifndef KUBELET_CM_TOOLS_CMCTL_TOOL_ENVIRONMENT_H_
#define KUBELET_CM_TOOLS_CMCTL_TOOL_ENVIRONMENT_H_

#include <istream>
#include <ostream>

#include "common/clock/clock.h"
#include "common/filesystem/file_system.h"
#include "common/random/random.h"

namespace kubelet_cm::cmctl {

// All of it outlives the call. One thread.
struct ToolEnvironment {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  FileSystem& file_system;
  const Clock& clock;
  Random& random;
  bool colours = false;  // `out` is a terminal, and its user wants colours
};

// What cmctl exits with. diff has two of its own (kOk same, kDifferent).
enum ExitCode : int {
  kOk = 0,
  kDifferent = 1,
  kUsage = 2,        // flags or arguments, or a verb that does not apply to this file
  kCorrupt = 3,      // the file is not what its format and checksum say
  kNotReadable = 4,  // valid, but not for the kubelet version asked about
  kNotFound = 5,
  kFailed = 6,  // reading or writing failed
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_TOOL_ENVIRONMENT_H_
