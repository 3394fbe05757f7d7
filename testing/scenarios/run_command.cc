#include "testing/scenarios/run_command.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "testing/scenarios/crash_sweep.h"
#include "testing/scenarios/disk_error_sweep.h"
#include "testing/scenarios/memory_limits.h"
#include "testing/scenarios/memory_run.h"
#include "testing/scenarios/restart_twins.h"
#include "testing/scenarios/scenario_file.h"
#include "testing/scenarios/scenario_program.h"
#include "testing/scenarios/story.h"

namespace kubelet_cm::scenarios {
namespace {

struct CommandLine {
  ProgramOptions program = {};
  uint64_t seed = 1;
  uint64_t orders = 1;
  bool sweep = false;
  bool restarts = false;
  bool disk_errors = false;
  size_t shard = 0;
  size_t shards = 1;
};

SweepOptions OptionsOf(const CommandLine& command) {
  return {.version = command.program.version,
          .seed = command.seed,
          .shard = command.shard,
          .shards = command.shards,
          .log = command.program.log};
}

// What was counted, and what failed.
int TellAll(const std::string& counted, const std::vector<SweptCrash>& failures) {
  for (const SweptCrash& failure : failures) {
    std::cerr << failure.where << ":\n" << FailureText(failure.story) << StoryText(failure.story) << "\n";
  }
  std::cout << counted << (failures.empty() ? "" : ": FAILED") << "\n";
  return failures.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

int SweepErrors(const CommandLine& command, const ScenarioFile& file) {
  const DiskErrorResult swept = SweepDiskErrors(file, OptionsOf(command));
  return TellAll(
      absl::StrCat(file.scenario.name(), ": ", swept.errors, " disk errors over ", swept.operations, " operations"),
      swept.failures);
}

int Restarts(const CommandLine& command, const ScenarioFile& file) {
  const TwinsResult twins = PlayRestartTwins(file, command.program.version, command.seed);
  std::vector<SweptCrash> failures;
  for (const Story& story : twins.failures) failures.push_back({.where = "with a restart", .story = story});
  return TellAll(absl::StrCat(file.scenario.name(), ": ", twins.restarts, " restarts"), failures);
}

int Sweep(const CommandLine& command, const ScenarioFile& file) {
  const SweepResult swept = SweepCrashes(file, OptionsOf(command));
  return TellAll(absl::StrCat(file.scenario.name(), ": ", swept.points, " crash points, ", swept.images,
                              " disk images over ", swept.operations, " operations"),
                 swept.failures);
}

// Threads run in another order each time.
int PlayOrders(const CommandLine& command, const ScenarioFile& file) {
  for (uint64_t seed = command.seed + 1; seed < command.seed + command.orders; ++seed) {
    const Story story = RunInMemory(file, command.program.version, seed);
    if (story.passed()) continue;
    return TellAll(absl::StrCat(file.scenario.name(), ": the order of --seed ", seed),
                   {{.where = absl::StrCat("with --seed ", seed), .story = story}});
  }
  return command.orders == 1 ? EXIT_SUCCESS
                             : TellAll(absl::StrCat(file.scenario.name(), ": ", command.orders, " orders"), {});
}

int PlayFile(const CommandLine& command, const std::string& path) {
  const absl::StatusOr<ScenarioFile> file = LoadScenarioAt(path);
  const absl::Status playable = file.ok() ? CheckForMemory(*file) : file.status();
  if (!playable.ok()) {
    std::cerr << playable.message() << "\n";
    return kBadInput;
  }
  const Story story = RunInMemory(*file, command.program.version, command.seed, command.program.log);
  int result = Tell(story, command.program, "");
  if (!story.passed()) return result;
  result = std::max(result, PlayOrders(command, *file));
  if (command.sweep) result = std::max(result, Sweep(command, *file));
  if (command.restarts) result = std::max(result, Restarts(command, *file));
  if (command.disk_errors) result = std::max(result, SweepErrors(command, *file));
  return result;
}

}  // namespace

int RunScenarios(int argc, const char* const* argv) {
  CommandLine command;
  CLI::App app("Plays scenario files on a node in memory and tells what happens.");
  AddOptions(app, command.program);
  app.add_option("--seed", command.seed, "the order in which threads run");
  app.add_option("--orders", command.orders, "play it so often, each time with the next seed")
      ->check(CLI::PositiveNumber);
  app.add_flag("--sweep", command.sweep, "crash at every operation, and with every disk that a power cut may leave");
  app.add_flag("--restarts", command.restarts, "restart the kubelet after each step, one at a time");
  app.add_flag("--disk-errors", command.disk_errors, "let each operation of the disk fail, one at a time");
  app.add_option("--shard", command.shard, "of a sweep: from 0");
  app.add_option("--shards", command.shards, "so many share a sweep")->check(CLI::PositiveNumber);
  return PlayFiles(app, argc, argv, command.program, [&](const std::string& path) { return PlayFile(command, path); });
}

}  // namespace kubelet_cm::scenarios
