// cmctl: looks into the device state of a Kubernetes node.
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/log/line_logger.h"
#include "common/random/real_random.h"
#include "tools/cmctl/cmctl.h"
#include "tools/cmctl/node/socket_connections.h"

namespace {

// The value of a variable of the environment; nothing for one that is not set.
std::string Variable(char** variables, std::string_view name) {
  for (char** variable = variables; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (text.size() > name.size() && text.starts_with(name) && text[name.size()] == '=') {
      return std::string(text.substr(name.size() + 1));
    }
  }
  return "";
}

std::string WorkingFolder() {
  const std::unique_ptr<char, decltype(&std::free)> folder(getcwd(nullptr, 0), &std::free);
  return folder == nullptr ? "/" : folder.get();
}

}  // namespace

int main(int argc, char** argv, char** variables) {
  std::ios::sync_with_stdio(false);
  // `bazel run` starts programs elsewhere, and says where its caller was.
  const std::string caller = Variable(variables, "BUILD_WORKING_DIRECTORY");
  if (!caller.empty() && chdir(caller.c_str()) != 0) {
    std::cerr << "cmctl: the folder is gone: " << caller << "\n";
    return kubelet_cm::cmctl::kFailed;
  }
  kubelet_cm::PosixFileSystem file_system;
  kubelet_cm::RealClock clock;
  kubelet_cm::RealRandom random;
  kubelet_cm::LineLogger log(clock, {.write = kubelet_cm::WriteToStandardError});
  kubelet_cm::cmctl::SocketConnections node(file_system, log);
  const kubelet_cm::cmctl::ToolEnvironment environment{
      .in = std::cin,
      .out = std::cout,
      .err = std::cerr,
      .file_system = file_system,
      .clock = clock,
      .random = random,
      // https://no-color.org: set, and not to nothing.
      .colours = isatty(STDOUT_FILENO) == 1 && Variable(variables, "NO_COLOR").empty(),
      .user = {.endpoint = Variable(variables, "KUBELET_CM_ENDPOINT"),
               .home = Variable(variables, "HOME"),
               .xdg_state_home = Variable(variables, "XDG_STATE_HOME"),
               .user = Variable(variables, "USER"),
               .working_folder = WorkingFolder()},
      .node = &node,
  };
  return kubelet_cm::cmctl::RunCmctl({argv + 1, argv + argc}, environment);
}
