// Plays scenario files against the daemon's program and tells their stories; docs/scenarios.md. Exit codes as of run.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "testing/scenarios/program_limits.h"
#include "testing/scenarios/program_node.h"
#include "testing/scenarios/scenario_file.h"
#include "testing/scenarios/scenario_runner.h"
#include "testing/scenarios/story.h"

namespace kubelet_cm::scenarios {
namespace {

constexpr int kBadInput = 2;
constexpr size_t kMaxFile = size_t{16} << 20;

struct CommandLine {
  std::vector<std::string> files = {};
  std::string version = {};
  bool quiet = false;
};

// Where the user is, under `bazel run`.
std::string Resolved(const std::string& path) {
  const char* folder = std::getenv("BUILD_WORKING_DIRECTORY");  // NOLINT(concurrency-mt-unsafe): nobody changes it
  if (folder == nullptr || path.starts_with("/")) return path;
  return std::string(folder) + "/" + path;
}

int PlayFile(const CommandLine& command, const std::string& path) {
  PosixFileSystem files;
  const absl::StatusOr<std::string> text = ReadFile(files, Resolved(path), kMaxFile);
  const absl::StatusOr<ScenarioFile> file = text.ok() ? LoadScenario(path, *text) : text.status();
  const absl::Status playable = file.ok() ? CheckForProgram(*file) : file.status();
  if (!playable.ok()) {
    std::cerr << playable.message() << "\n";
    return kBadInput;
  }
  ProgramNode node(file->scenario.node());
  ScenarioRunner runner(node, *file, command.version);
  const Story& story = runner.Run();
  if (!command.quiet) std::cout << StoryText(story) << "\n";
  std::cerr << FailureText(story);
  std::cout << story.name << " against the daemon" << (story.passed() ? ": passed\n" : ": FAILED\n");
  return story.passed() ? EXIT_SUCCESS : EXIT_FAILURE;
}

int Main(int argc, char** argv) {
  CommandLine command;
  CLI::App app("Plays scenario files against the daemon's program and tells what happens.");
  app.add_option("files", command.files, "scenario files")->required();
  app.add_option("--as", command.version, "the kubelet that the daemon starts as");
  app.add_flag("--quiet", command.quiet, "tell only what fails");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? EXIT_SUCCESS : kBadInput;
  }
  int result = EXIT_SUCCESS;
  for (const std::string& path : command.files) result = std::max(result, PlayFile(command, path));
  return result;
}

}  // namespace
}  // namespace kubelet_cm::scenarios

int main(int argc, char** argv) { return kubelet_cm::scenarios::Main(argc, argv); }
