// Plays a scenario file and tells its story; docs/scenarios.md. Exit codes: 0 passed, 1 failed, 2 the file or the
// command line is wrong.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_macros.h"
#include "testing/scenarios/crash_sweep.h"
#include "testing/scenarios/disk_error_sweep.h"
#include "testing/scenarios/memory_run.h"
#include "testing/scenarios/restart_twins.h"
#include "testing/scenarios/scenario_file.h"
#include "testing/scenarios/story.h"
#include "testing/scenarios/timeline.h"

namespace kubelet_cm::scenarios {
namespace {

constexpr int kBadInput = 2;
constexpr size_t kMaxFile = size_t{16} << 20;

struct CommandLine {
  std::vector<std::string> files = {};
  std::string version = {};
  uint64_t seed = 1;
  std::string timeline = {};
  bool quiet = false;
  bool sweep = false;
  bool restarts = false;
  bool disk_errors = false;
  size_t shard = 0;
  size_t shards = 1;
};

// Where the user is, under `bazel run`.
std::string Resolved(const std::string& path) {
  const char* folder = std::getenv("BUILD_WORKING_DIRECTORY");  // NOLINT(concurrency-mt-unsafe): nobody changes it
  if (folder == nullptr || path.starts_with("/")) return path;
  return std::string(folder) + "/" + path;
}

int SweepErrors(const CommandLine& command, const ScenarioFile& file) {
  const DiskErrorResult swept = SweepDiskErrors(
      file, {.version = command.version, .seed = command.seed, .shard = command.shard, .shards = command.shards});
  for (const SweptCrash& error : swept.failures) {
    std::cerr << error.where << ":\n" << FailureText(error.story) << StoryText(error.story) << "\n";
  }
  std::cout << file.scenario.name() << ": " << swept.errors << " disk errors over " << swept.operations << " operations"
            << (swept.failures.empty() ? "" : ": FAILED") << "\n";
  return swept.failures.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

int Restarts(const CommandLine& command, const ScenarioFile& file) {
  const TwinsResult twins = PlayRestartTwins(file, command.version, command.seed);
  for (const Story& story : twins.failures) std::cerr << FailureText(story) << StoryText(story) << "\n";
  std::cout << file.scenario.name() << ": " << twins.restarts << " restarts"
            << (twins.failures.empty() ? "" : ": FAILED") << "\n";
  return twins.failures.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

int Sweep(const CommandLine& command, const ScenarioFile& file) {
  const SweepResult swept = SweepCrashes(
      file, {.version = command.version, .seed = command.seed, .shard = command.shard, .shards = command.shards});
  for (const SweptCrash& crash : swept.failures) {
    std::cerr << crash.where << ":\n" << FailureText(crash.story) << StoryText(crash.story) << "\n";
  }
  std::cout << file.scenario.name() << ": " << swept.points << " crash points, " << swept.images << " disk images over "
            << swept.operations << " operations" << (swept.failures.empty() ? "" : ": FAILED") << "\n";
  return swept.failures.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

absl::Status WriteTimeline(const std::string& path, const Story& story) {
  PosixFileSystem files;
  const absl::Status removed = files.Unlink(path);
  if (!removed.ok() && !absl::IsNotFound(removed)) return removed;
  ASSIGN_OR_RETURN(const std::unique_ptr<File> file, files.Open(path, OpenMode::kCreateExclusive, 0644));
  RETURN_IF_ERROR(file->Write(TimelineHtml(story)));
  return file->Close();
}

int PlayFile(const CommandLine& command, const std::string& path) {
  PosixFileSystem files;
  const absl::StatusOr<std::string> text = ReadFile(files, Resolved(path), kMaxFile);
  const absl::StatusOr<ScenarioFile> file = text.ok() ? LoadScenario(path, *text) : text.status();
  if (!file.ok()) {
    std::cerr << file.status().message() << "\n";
    return kBadInput;
  }
  const Story story = RunInMemory(*file, command.version, command.seed);
  if (!command.quiet) std::cout << StoryText(story) << "\n";
  std::cerr << FailureText(story);
  std::cout << story.name << (story.passed() ? ": passed\n" : ": FAILED\n");
  if (!command.timeline.empty()) {
    const absl::Status written = WriteTimeline(Resolved(command.timeline), story);
    if (!written.ok()) {
      std::cerr << written.message() << "\n";
      return kBadInput;
    }
  }
  if (!story.passed()) return EXIT_FAILURE;
  int result = command.sweep ? Sweep(command, *file) : EXIT_SUCCESS;
  if (command.restarts) result = std::max(result, Restarts(command, *file));
  if (command.disk_errors) result = std::max(result, SweepErrors(command, *file));
  return result;
}

int Main(int argc, char** argv) {
  CommandLine command;
  CLI::App app("Plays scenario files on a node in memory and tells what happens.");
  app.add_option("files", command.files, "scenario files")->required();
  app.add_option("--as", command.version, "the kubelet that the node starts as");
  app.add_option("--seed", command.seed, "the order in which threads run");
  app.add_option("--timeline", command.timeline, "write the story as a page (HTML) to this file; with one scenario");
  app.add_flag("--sweep", command.sweep, "crash at every operation, and with every disk that a power cut may leave");
  app.add_flag("--restarts", command.restarts, "restart the kubelet after each step, one at a time");
  app.add_flag("--disk-errors", command.disk_errors, "let each operation of the disk fail, one at a time");
  app.add_option("--shard", command.shard, "of a sweep: from 0");
  app.add_option("--shards", command.shards, "so many share a sweep")->check(CLI::PositiveNumber);
  app.add_flag("--quiet", command.quiet, "tell only what fails");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? EXIT_SUCCESS : kBadInput;
  }
  if (!command.timeline.empty() && command.files.size() > 1) {
    std::cerr << "--timeline is of one scenario\n";
    return kBadInput;
  }
  int result = EXIT_SUCCESS;
  for (const std::string& path : command.files) result = std::max(result, PlayFile(command, path));
  return result;
}

}  // namespace
}  // namespace kubelet_cm::scenarios

int main(int argc, char** argv) { return kubelet_cm::scenarios::Main(argc, argv); }
