#include "testing/scenarios/run_command.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "testing/scenarios/bench_node.h"
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

Played SweepErrors(const CommandLine& command, const ScenarioFile& file) {
  DiskErrorResult swept = SweepDiskErrors(file, OptionsOf(command));
  return {absl::StrCat(swept.errors, " disk errors over ", swept.operations, " operations"), std::move(swept.failures)};
}

Played Restarts(const CommandLine& command, const ScenarioFile& file) {
  return PlayedOf(PlayRestartTwins(file, command.program.version, [&](absl::FunctionRef<void(BenchNode&)> body) {
    return WithMemoryNode(file.scenario, command.seed, [&](MemoryNode& node) {
      if (command.program.log >= 0) node.Listen(command.program.log);
      body(node);
    });
  }));
}

Played Sweep(const CommandLine& command, const ScenarioFile& file) {
  SweepResult swept = SweepCrashes(file, OptionsOf(command));
  return {absl::StrCat(swept.points, " crash points, ", swept.images, " disk images over ", swept.operations,
                       " operations"),
          std::move(swept.failures)};
}

// Threads run in another order each time.
Played PlayOrders(const CommandLine& command, const ScenarioFile& file) {
  for (uint64_t seed = command.seed + 1; seed < command.seed + command.orders; ++seed) {
    Story story = RunInMemory(file, command.program.version, seed, command.program.log);
    if (story.passed()) continue;
    return {absl::StrCat("the order of --seed ", seed),
            {{.where = absl::StrCat("with --seed ", seed), .story = std::move(story)}}};
  }
  return {absl::StrCat(command.orders, " orders")};
}

// One after the other, each told when it is over; what failed first is drawn.
int PlayBeside(const CommandLine& command, const ScenarioFile& file) {
  std::vector<SweptCrash> failures;
  const auto play = [&](bool wanted, Played (*what)(const CommandLine&, const ScenarioFile&)) {
    if (!wanted) return;
    Played played = what(command, file);
    Tell(played, file);
    if (failures.empty()) failures = std::move(played.failures);
  };
  play(command.orders > 1, PlayOrders);
  play(command.sweep, Sweep);
  play(command.restarts, Restarts);
  play(command.disk_errors, SweepErrors);
  if (failures.empty()) return EXIT_SUCCESS;
  return std::max<int>(EXIT_FAILURE, Draw(failures.front().story, command.program, failures.front().where));
}

int PlayFile(const CommandLine& command, const std::string& path) {
  const absl::StatusOr<ScenarioFile> file = LoadScenarioAt(path);
  const absl::Status playable = file.ok() ? CheckForMemory(*file) : file.status();
  if (!playable.ok()) {
    std::cerr << playable.message() << "\n";
    return kBadInput;
  }
  const Story story = RunInMemory(*file, command.program.version, command.seed, command.program.log);
  const int result = Tell(story, command.program, "");
  if (!story.passed()) return result;
  return std::max(result, PlayBeside(command, *file));
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
