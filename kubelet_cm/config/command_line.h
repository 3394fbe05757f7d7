// The daemon's command line, and the KubeletConfiguration that it names, made into DaemonOptions. Flags win over the
// file, the file over the defaults.
#ifndef KUBELET_CM_KUBELET_CM_CONFIG_COMMAND_LINE_H_
#define KUBELET_CM_KUBELET_CM_CONFIG_COMMAND_LINE_H_

#include <optional>
#include <string>
#include <vector>

#include "common/filesystem/file_system.h"
#include "kubelet_cm/config/daemon_options.h"
#include "kubelet_cm/config/kubelet_config.h"

namespace kubelet_cm::config {

// The exit code for a command line or a configuration that cannot be used.
inline constexpr int kUsageExit = 2;

// What defaults depend on; main asks the system.
struct Surroundings {
  std::string home = {};            // $HOME
  std::string xdg_state_home = {};  // $XDG_STATE_HOME; counts when absolute
  std::string working_folder = {};  // where relative paths begin
  std::string host_name = {};
};

struct CommandLine {
  // Exit with this instead of running; `output` is for standard output if it is 0, else for standard error.
  std::optional<int> exit_code = {};
  std::string output = {};

  DaemonOptions options = {};
  ConfigLeftovers leftovers = {};  // of options.config_file, for LogLeftovers
};

// `arguments` without the program's name.
CommandLine ReadCommandLine(const std::vector<std::string>& arguments, const Surroundings& surroundings,
                            FileSystem& files);

}  // namespace kubelet_cm::config

#endif  // KUBELET_CM_KUBELET_CM_CONFIG_COMMAND_LINE_H_
