#include "testing/scenarios/scenario_program.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_macros.h"
#include "testing/scenarios/put_file.h"
#include "testing/scenarios/timeline.h"

namespace kubelet_cm::scenarios {
namespace {

constexpr size_t kMaxFile = size_t{16} << 20;

// The path below the folder that Bazel names, if it does.
std::string Below(const char* variable, const std::string& path) {
  const char* folder = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe): nobody changes it
  if (folder == nullptr || path.empty() || path.starts_with("/")) return path;
  return absl::StrCat(folder, "/", path);
}

std::string InWorkspace(const std::string& path) { return Below("BUILD_WORKSPACE_DIRECTORY", path); }

void RootGoldens(proto::Scenario* scenario) {
  for (proto::Step& step : *scenario->mutable_steps()) {
    if (!step.place_file().golden().empty()) {
      step.mutable_place_file()->set_golden(InWorkspace(step.place_file().golden()));
    }
    if (!step.has_expect()) continue;
    for (proto::Expect::File& file : *step.mutable_expect()->mutable_files()) {
      file.set_golden(InWorkspace(file.golden()));
      file.set_set_aside_golden(InWorkspace(file.set_aside_golden()));
    }
  }
}

}  // namespace

std::string Resolved(const std::string& path) { return Below("BUILD_WORKING_DIRECTORY", path); }

absl::StatusOr<std::string> ProgramNamed(const std::string& word) {
  if (word.find('/') != std::string::npos) return Resolved(word);
  const char* folders = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nobody changes it
  for (const std::string& folder : std::vector<std::string>(absl::StrSplit(folders == nullptr ? "" : folders, ':'))) {
    const std::string path = Resolved(absl::StrCat(folder.empty() ? "." : folder, "/", word));
    if (!word.empty() && access(path.c_str(), X_OK) == 0) return path;
  }
  return absl::NotFoundError(
      absl::StrCat("no program \"", word, "\" in the folders of PATH; one that is in this folder is ./", word));
}

absl::StatusOr<ScenarioFile> LoadScenarioAt(const std::string& path) {
  PosixFileSystem files;
  ASSIGN_OR_RETURN(const std::string text, ReadFile(files, Resolved(path), kMaxFile));
  ASSIGN_OR_RETURN(ScenarioFile file, LoadScenario(path, text));
  RootGoldens(&file.scenario);
  return file;
}

void AddOptions(CLI::App& app, ProgramOptions& options) {
  app.add_option("files", options.files, "scenario files")->required();
  app.add_option("--as", options.version, "the kubelet that the node starts as");
  app.add_option("--timeline", options.timeline,
                 "write the story as a page (HTML) to this file: the first that fails; with one scenario");
  app.add_option("--log", options.log, "tell what the kubelet logs, up to this level")->check(CLI::NonNegativeNumber);
  app.add_flag("--quiet", options.quiet, "tell only what fails");
}

int Draw(const Story& story, const ProgramOptions& options, const std::string& disturbed_by) {
  if (options.timeline.empty()) return EXIT_SUCCESS;
  PosixFileSystem files;
  const absl::Status written = PutFile(files, Resolved(options.timeline), TimelineHtml(story, disturbed_by));
  if (written.ok()) return EXIT_SUCCESS;
  std::cerr << written.message() << "\n";
  return kBadInput;
}

int Tell(const Story& story, const ProgramOptions& options, std::string_view where) {
  if (!options.quiet) std::cout << StoryText(story) << "\n";
  std::cerr << FailureText(story);
  std::cout << story.name << where << (story.passed() ? ": passed\n" : ": FAILED\n") << std::flush;
  return std::max(Draw(story, options), story.passed() ? EXIT_SUCCESS : EXIT_FAILURE);
}

Played PlayedOf(TwinsResult twins) { return {absl::StrCat(twins.restarts, " restarts"), std::move(twins.failures)}; }

void Tell(const Played& played, const ScenarioFile& file) {
  for (const SweptCrash& failure : played.failures) {
    std::cerr << failure.where << ":\n" << FailureText(failure.story) << StoryText(failure.story) << "\n";
  }
  std::cout << file.scenario.name() << ": " << played.counted << (played.failures.empty() ? "" : ": FAILED") << "\n";
}

int PlayFiles(CLI::App& app, int argc, const char* const* argv, const ProgramOptions& options,
              const std::function<int(const std::string& path)>& play) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? EXIT_SUCCESS : kBadInput;
  }
  if (!options.timeline.empty() && options.files.size() > 1) {
    std::cerr << "--timeline is of one scenario\n";
    return kBadInput;
  }
  int result = EXIT_SUCCESS;
  for (const std::string& path : options.files) result = std::max(result, play(path));
  return result;
}

}  // namespace kubelet_cm::scenarios
