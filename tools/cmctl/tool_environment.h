// What a verb of cmctl may touch: streams, files, the time. main makes the real one, tests one in memory.
#ifndef KUBELET_CM_TOOLS_CMCTL_TOOL_ENVIRONMENT_H_
#define KUBELET_CM_TOOLS_CMCTL_TOOL_ENVIRONMENT_H_

#include <istream>
#include <ostream>
#include <string>

#include "common/clock/clock.h"
#include "common/filesystem/file_system.h"
#include "common/random/random.h"

namespace kubelet_cm::cmctl {

class NodeConnections;  // node/node_connections.h

// What the user's environment says; main reads it.
struct UserSettings {
  std::string endpoint = {};        // $KUBELET_CM_ENDPOINT
  std::string home = {};            // $HOME
  std::string xdg_state_home = {};  // $XDG_STATE_HOME
  std::string user = {};            // $USER
  std::string working_folder = {};  // where relative paths begin
};

// All of it outlives the call. One thread.
struct ToolEnvironment {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  FileSystem& file_system;
  const Clock& clock;
  Random& random;
  bool colours = false;  // `out` is a terminal, and its user wants colours
  UserSettings user = {};
  NodeConnections* node = nullptr;  // the way to daemons and plugins; null: there is none
};

// What cmctl exits with.
enum ExitCode : int {
  kOk = 0,
  kDifferent = 1,    // diff: the files differ
  kRefused = 1,      // the daemon or the plugin was asked, and its answer is no
  kUsage = 2,        // flags or arguments, or a verb that does not apply to this file
  kCorrupt = 3,      // the file is not what its format and checksum say
  kNotReadable = 4,  // valid, but not for the kubelet version asked about
  kNotFound = 5,
  kFailed = 6,  // reading or writing failed, nobody answers, or the call did not get through
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_TOOL_ENVIRONMENT_H_
