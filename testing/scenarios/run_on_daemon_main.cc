// Plays scenario files against the daemon's program and tells their stories; docs/scenarios.md. Exit codes as of run.
#include <iostream>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "testing/scenarios/program_limits.h"
#include "testing/scenarios/program_node.h"
#include "testing/scenarios/scenario_file.h"
#include "testing/scenarios/scenario_program.h"
#include "testing/scenarios/scenario_runner.h"

namespace kubelet_cm::scenarios {
namespace {

struct CommandLine {
  std::vector<std::string> files = {};
  std::string version = {};
  bool quiet = false;
};

int PlayFile(const CommandLine& command, const std::string& path) {
  const absl::StatusOr<ScenarioFile> file = LoadScenarioAt(path);
  const absl::Status playable = file.ok() ? CheckForProgram(*file) : file.status();
  if (!playable.ok()) {
    std::cerr << playable.message() << "\n";
    return kBadInput;
  }
  ProgramNode node(file->scenario.node());
  ScenarioRunner runner(node, *file, command.version);
  return Tell(runner.Run(), command.quiet, " against the daemon");
}

int Main(int argc, char** argv) {
  CommandLine command;
  CLI::App app("Plays scenario files against the daemon's program and tells what happens.");
  app.add_option("files", command.files, "scenario files")->required();
  app.add_option("--as", command.version, "the kubelet that the daemon starts as");
  app.add_flag("--quiet", command.quiet, "tell only what fails");
  return PlayFiles(app, argc, argv, command.files, [&](const std::string& path) { return PlayFile(command, path); });
}

}  // namespace
}  // namespace kubelet_cm::scenarios

int main(int argc, char** argv) { return kubelet_cm::scenarios::Main(argc, argv); }
