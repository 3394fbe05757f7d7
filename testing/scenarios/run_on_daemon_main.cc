// Plays scenario files against the daemon's program and tells their stories; docs/scenarios.md. Exit codes as of run.
#include <iostream>
#include <string>

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

int PlayFile(const ProgramOptions& options, const std::string& path) {
  const absl::StatusOr<ScenarioFile> file = LoadScenarioAt(path);
  const absl::Status playable = file.ok() ? CheckForProgram(*file) : file.status();
  if (!playable.ok()) {
    std::cerr << playable.message() << "\n";
    return kBadInput;
  }
  ProgramNode node(file->scenario.node());
  if (options.log >= 0) node.Listen(options.log);
  ScenarioRunner runner(node, *file, options.version);
  return Tell(runner.Run(), options, " against the daemon");
}

int Main(int argc, char** argv) {
  ProgramOptions options;
  CLI::App app("Plays scenario files against the daemon's program and tells what happens.");
  AddOptions(app, options);
  return PlayFiles(app, argc, argv, options, [&](const std::string& path) { return PlayFile(options, path); });
}

}  // namespace
}  // namespace kubelet_cm::scenarios

int main(int argc, char** argv) { return kubelet_cm::scenarios::Main(argc, argv); }
