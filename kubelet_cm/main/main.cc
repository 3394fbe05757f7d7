// kubelet_cm: the device stack of a Kubernetes node as one process.
#include <iostream>

#include "CLI/CLI.hpp"
#include "common/version/version.h"

namespace {

constexpr char kWhatIsToCome[] =
    "\n"
    "The daemon is not served by this version yet. What it will be, in the order in which it is built:\n"
    "  1. the checkpoint files of every kubelet since 1.8: read, verified, explained, converted (cmctl checkpoint)\n"
    "  2. the device plugin manager, with the device plugins' own sockets and protocol\n"
    "  3. the DRA manager, with claims that no crash leaks\n"
    "  4. the node daemon around them, and cmctl to look into it\n"
    "  5. the bench that restarts, upgrades and crashes all of it\n"
    "\n"
    "README.md says what works today.\n";

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("kubelet_cm: the device stack of a Kubernetes node (device plugins, DRA, checkpoints) as one process.");
  app.name("kubelet_cm");
  app.set_version_flag("--version", "kubelet_cm " + std::string(kubelet_cm::kVersion));
  app.footer("Exit codes: 0 clean, 2 usage.");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  std::cout << "kubelet_cm " << kubelet_cm::kVersion << "\n" << kWhatIsToCome;
  return 0;
}
