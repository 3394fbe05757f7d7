// Plays scenario files against the daemon's program and tells their stories; docs/scenarios.md. Exit codes as of run.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "testing/scenarios/bench_node.h"
#include "testing/scenarios/foreign_programs.h"
#include "testing/scenarios/program_limits.h"
#include "testing/scenarios/program_node.h"
#include "testing/scenarios/restart_twins.h"
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

struct CommandLine {
  ProgramOptions program = {};
  std::vector<std::string> programs = {};
  bool restarts = false;
};

int PlayFile(const CommandLine& command, const std::string& path) {
  const absl::StatusOr<ScenarioFile> file = LoadScenarioAt(path);
  const absl::Status playable = file.ok() ? CheckForProgram(*file, command.program.version) : file.status();
  if (!playable.ok()) {
    std::cerr << playable.message() << "\n";
    return kBadInput;
  }
  const absl::StatusOr<ForeignPrograms::Paths> paths = PathsOf(command.programs);
  if (!paths.ok()) {
    std::cerr << paths.status().message() << "\n";
    return kBadInput;
  }
  const ProgramOptions& options = command.program;
  int result = EXIT_SUCCESS;
  {
    ProgramNode node(file->scenario.node(), *paths);
    if (options.log >= 0) node.Listen(options.log);
    ScenarioRunner runner(node, *file, options.version);
    result = Tell(runner.Run(), options, " against the daemon");
  }
  if (!command.restarts || result != EXIT_SUCCESS) return result;
  const Played twins = PlayedOf(PlayRestartTwins(*file, options.version, [&](absl::FunctionRef<void(BenchNode&)> body) {
    ProgramNode node(file->scenario.node(), *paths);
    if (options.log >= 0) node.Listen(options.log);
    body(node);
    return absl::OkStatus();
  }));
  Tell(twins, *file);
  if (twins.failures.empty()) return EXIT_SUCCESS;
  return std::max<int>(EXIT_FAILURE, Draw(twins.failures.front().story, options, twins.failures.front().where));
}

int Main(int argc, char** argv) {
  CommandLine command;
  CLI::App app("Plays scenario files against the daemon's program and tells what happens.");
  AddOptions(app, command.program);
  app.add_option("--program", command.programs,
                 "NAME=PATH: where a program is that the scenario has in place of a fake")
      ->allow_extra_args(false);
  app.add_flag("--restarts", command.restarts, "restart the daemon after each step, one at a time");
  return PlayFiles(app, argc, argv, command.program, [&](const std::string& path) { return PlayFile(command, path); });
}

}  // namespace
}  // namespace kubelet_cm::scenarios

int main(int argc, char** argv) { return kubelet_cm::scenarios::Main(argc, argv); }
