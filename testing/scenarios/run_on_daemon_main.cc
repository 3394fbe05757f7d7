// Plays scenario files against the daemon's program and tells their stories; docs/scenarios.md. Exit codes as of run.
#include <iostream>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "testing/scenarios/foreign_programs.h"
#include "testing/scenarios/program_limits.h"
#include "testing/scenarios/program_node.h"
#include "testing/scenarios/scenario_file.h"
#include "testing/scenarios/scenario_program.h"
#include "testing/scenarios/scenario_runner.h"

namespace kubelet_cm::scenarios {
namespace {

// --program NAME=PATH; the path as the user's shell has it.
absl::StatusOr<ForeignPrograms::Paths> PathsOf(const std::vector<std::string>& programs) {
  ForeignPrograms::Paths paths;
  for (const std::string& program : programs) {
    const size_t equals = program.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == program.size()) {
      return absl::InvalidArgumentError(absl::StrCat("--program ", program, ": is no NAME=PATH"));
    }
    paths[program.substr(0, equals)] = Resolved(program.substr(equals + 1));
  }
  return paths;
}

int PlayFile(const ProgramOptions& options, const std::vector<std::string>& programs, const std::string& path) {
  const absl::StatusOr<ScenarioFile> file = LoadScenarioAt(path);
  const absl::Status playable = file.ok() ? CheckForProgram(*file) : file.status();
  if (!playable.ok()) {
    std::cerr << playable.message() << "\n";
    return kBadInput;
  }
  const absl::StatusOr<ForeignPrograms::Paths> paths = PathsOf(programs);
  if (!paths.ok()) {
    std::cerr << paths.status().message() << "\n";
    return kBadInput;
  }
  ProgramNode node(file->scenario.node(), *paths);
  if (options.log >= 0) node.Listen(options.log);
  ScenarioRunner runner(node, *file, options.version);
  return Tell(runner.Run(), options, " against the daemon");
}

int Main(int argc, char** argv) {
  ProgramOptions options;
  CLI::App app("Plays scenario files against the daemon's program and tells what happens.");
  AddOptions(app, options);
  std::vector<std::string> programs;
  app.add_option("--program", programs, "NAME=PATH: where a program is that the scenario has in place of a fake")
      ->allow_extra_args(false);
  return PlayFiles(app, argc, argv, options,
                   [&](const std::string& path) { return PlayFile(options, programs, path); });
}

}  // namespace
}  // namespace kubelet_cm::scenarios

int main(int argc, char** argv) { return kubelet_cm::scenarios::Main(argc, argv); }
