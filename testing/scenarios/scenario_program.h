// What the programs that play scenario files share: files by the user's own paths, exit codes, how a story is told.
#ifndef KUBELET_CM_TESTING_SCENARIOS_SCENARIO_PROGRAM_H_
#define KUBELET_CM_TESTING_SCENARIOS_SCENARIO_PROGRAM_H_

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "testing/scenarios/crash_sweep.h"
#include "testing/scenarios/restart_twins.h"
#include "testing/scenarios/scenario_file.h"
#include "testing/scenarios/story.h"

namespace kubelet_cm::scenarios {

// Beside EXIT_SUCCESS, all passed, and EXIT_FAILURE: the file or the command line is wrong.
inline constexpr int kBadInput = 2;

// A path as the user wrote it: under `bazel run` the program is somewhere else.
std::string Resolved(const std::string& path);

// Where the program is that the user names as to his shell: by its path, or by a name that is looked for in the folders
// of PATH.
absl::StatusOr<std::string> ProgramNamed(const std::string& word);

// The scenario in the file; under `bazel run` its golden files are those of the workspace.
absl::StatusOr<ScenarioFile> LoadScenarioAt(const std::string& path);

// What both programs are asked for.
struct ProgramOptions {
  std::vector<std::string> files = {};
  std::string version = {};   // that the node starts as; empty: as the scenario says
  std::string timeline = {};  // where the page of the story goes; empty: nowhere
  int log = -1;               // the level up to which the kubelet's lines are told; negative: none of them
  bool quiet = false;
};
void AddOptions(CLI::App& app, ProgramOptions& options);

// The page of the story, where one is asked for: EXIT_SUCCESS, or kBadInput when it cannot be written. `disturbed_by`:
// as in TimelineHtml.
int Draw(const Story& story, const ProgramOptions& options, const std::string& disturbed_by = "");

// The story, unless it is to be quiet, its failures, the verdict, and the page. `where` it was played: "", " against
// the daemon". The exit code.
int Tell(const Story& story, const ProgramOptions& options, std::string_view where);

// What is played beside the scenario as it stands: what there was of it, and what failed.
struct Played {
  std::string counted;
  std::vector<SweptCrash> failures = {};
};
Played PlayedOf(TwinsResult twins);
// The stories of what failed, and what was counted.
void Tell(const Played& played, const ScenarioFile& file);

// Reads the command line into what was bound to `app` and plays each of the files. The worst exit code.
int PlayFiles(CLI::App& app, int argc, const char* const* argv, const ProgramOptions& options,
              const std::function<int(const std::string& path)>& play);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_SCENARIO_PROGRAM_H_
