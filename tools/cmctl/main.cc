// cmctl: looks into the device state of a Kubernetes node.
#include <unistd.h>

#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/random/real_random.h"
#include "tools/cmctl/cmctl.h"

namespace {

// https://no-color.org: set, and not to nothing.
bool WantsNoColours(char** variables) {
  constexpr std::string_view kName = "NO_COLOR=";
  for (char** variable = variables; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (text.starts_with(kName) && text.size() > kName.size()) return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv, char** variables) {
  std::ios::sync_with_stdio(false);
  kubelet_cm::PosixFileSystem file_system;
  kubelet_cm::RealClock clock;
  kubelet_cm::RealRandom random;
  const kubelet_cm::cmctl::ToolEnvironment environment{
      .in = std::cin,
      .out = std::cout,
      .err = std::cerr,
      .file_system = file_system,
      .clock = clock,
      .random = random,
      .colours = isatty(STDOUT_FILENO) == 1 && !WantsNoColours(variables),
  };
  return kubelet_cm::cmctl::RunCmctl({argv + 1, argv + argc}, environment);
}
