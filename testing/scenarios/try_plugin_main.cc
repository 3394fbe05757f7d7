// Takes somebody's own device plugin through what happens on a node: plays each scenario that was written for any
// plugin against the daemon's program, with the plugin as a process beside it; docs/scenarios.md. Exit codes as of run.
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/path.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_macros.h"
#include "testing/scenarios/plugin_trial.h"
#include "testing/scenarios/program_node.h"
#include "testing/scenarios/scenario_program.h"
#include "testing/scenarios/scenario_runner.h"

namespace kubelet_cm::scenarios {
namespace {

constexpr size_t kMaxFile = size_t{1} << 20;

struct CommandLine {
  std::vector<std::string> scenarios = {};  // where they are; set by the build
  std::string resource = {};
  int devices = 1;
  std::vector<std::string> command = {};  // the plugin's
  std::vector<std::string> environment = {};
  bool at_var_lib_kubelet = false;
  bool restarted = false;
  std::string patience = {};
  std::string only = {};
  int log = -1;
  bool list = false;
};

std::string NameOf(const std::string& path) {
  const std::string name = kubelet_cm::NameOf(path);
  return name.substr(0, name.find('.'));
}

absl::StatusOr<PluginTrial> TrialOf(const CommandLine& command) {
  PluginTrial trial{.resource = command.resource, .devices = command.devices, .program = {}};
  ASSIGN_OR_RETURN(const std::string path, ProgramNamed(command.command.front()));
  trial.program.set_name(path);
  for (size_t i = 1; i < command.command.size(); ++i) trial.program.add_arguments(command.command[i]);
  for (const std::string& variable : command.environment) trial.program.add_environment(variable);
  trial.program.set_at_var_lib_kubelet(command.at_var_lib_kubelet);
  trial.program.set_restarted(command.restarted);
  trial.program.set_patience(command.patience);
  RETURN_IF_ERROR(CheckTrial(trial));
  return trial;
}

absl::StatusOr<ScenarioFile> Load(const PluginTrial& trial, const std::string& path) {
  PosixFileSystem files;
  ASSIGN_OR_RETURN(const std::string text, ReadFile(files, path, kMaxFile));
  return FillIn(trial, NameOf(path), text);
}

struct Trial {
  bool passed = false;
  bool came_up = true;
};

absl::StatusOr<Trial> Try(const CommandLine& command, const PluginTrial& trial, const std::string& path) {
  ASSIGN_OR_RETURN(const ScenarioFile file, Load(trial, path));
  RealClock clock;
  const MonotonicTime began = clock.MonotonicNow();
  std::cout << absl::StrCat(NameOf(path), " ... ") << std::flush;
  ProgramNode node(file.scenario.node());
  if (command.log >= 0) node.Listen(command.log);
  ScenarioRunner runner(node, file);
  const Story& story = runner.Run();
  const std::string took = absl::FormatDuration(absl::Trunc(clock.MonotonicNow() - began, absl::Milliseconds(10)));
  std::cout << (story.passed() ? "passed" : "FAILED") << " (" << took << ")\n" << std::flush;
  if (!story.passed() || command.log >= 0) std::cout << StoryText(story) << "\n" << std::flush;
  // The first step of most of them; one in which the kubelet comes later says nothing of this.
  const StoryStep& last = story.steps.back();
  const bool starts_it = last.number == 1 && file.scenario.steps(0).has_start_plugin();
  return Trial{.passed = story.passed(), .came_up = story.passed() || !starts_it};
}

int TryAll(const CommandLine& command) {
  const absl::StatusOr<PluginTrial> trial = TrialOf(command);
  if (!trial.ok()) {
    std::cerr << trial.status().message() << "\n";
    return kBadInput;
  }
  int passed = 0;
  int failed = 0;
  for (const std::string& path : command.scenarios) {
    if (!command.only.empty() && NameOf(path) != command.only) continue;
    const absl::StatusOr<Trial> tried = Try(command, *trial, path);
    if (!tried.ok()) {
      std::cerr << tried.status().message() << "\n";
      return kBadInput;
    }
    ++(tried->passed ? passed : failed);
    if (tried->came_up) continue;
    std::cout << "it does not come up, and nothing else is tried\n";
    break;
  }
  if (passed + failed == 0) {
    std::cerr << "there is no scenario \"" << command.only << "\"; --list shows them\n";
    return kBadInput;
  }
  std::cout << passed << " passed, " << failed << " failed\n";
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

void List(const CommandLine& command) {
  PluginTrial any{.resource = "example.org/any", .devices = 1, .program = {}};
  any.program.set_name("any");
  for (const std::string& path : command.scenarios) {
    const absl::StatusOr<ScenarioFile> file = Load(any, path);
    std::cout << NameOf(path) << "\n    " << (file.ok() ? file->scenario.teaches() : file.status().ToString()) << "\n";
  }
}

void Declare(CLI::App& app, CommandLine& command) {
  app.add_option("--scenario", command.scenarios, "a scenario for any plugin")->group("")->allow_extra_args(false);
  app.add_option("--resource", command.resource, "the resource that the plugin registers, \"example.org/widget\"");
  app.add_option("--devices", command.devices, "how many devices it lists, all healthy")->capture_default_str();
  app.add_option("--env", command.environment, "NAME=value for the plugin; again for more")->allow_extra_args(false);
  app.add_flag("--at-var-lib-kubelet", command.at_var_lib_kubelet,
               "the plugin cannot be told where the kubelet's folder is: it sees it at /var/lib/kubelet (in mounts of "
               "its own). Without, /var/lib/kubelet in its arguments and environment becomes the real folder");
  app.add_flag("--restarted", command.restarted,
               "when the plugin ends by itself it is started again, as a pod of a DaemonSet is");
  app.add_option("--patience", command.patience, "how long it may take to register by itself; \"30s\" by default");
  app.add_option("--only", command.only, "only this scenario");
  app.add_flag("--list", command.list, "say what there is, and try nothing");
  app.add_option("--log", command.log, "tell each story with what kubelet and plugin log, up to this level")
      ->check(CLI::NonNegativeNumber);
  app.footer("After -- come the plugin, by its path or a name that is found in PATH, and its arguments, as they are.");
}

// What follows the first "--" is the plugin's, and read by nobody else.
int TakePlugin(int argc, char** argv, CommandLine& command) {
  char** const end = argv + argc;
  char** const dashes = std::find_if(argv, end, [](const char* word) { return std::string_view(word) == "--"; });
  if (dashes != end) command.command.assign(dashes + 1, end);
  return static_cast<int>(dashes - argv);
}

int Main(int argc, char** argv) {
  CommandLine command;
  CLI::App app(
      "Takes a device plugin through registration, restarts, upgrades, a boot and crashes. Example:\n"
      "  try_plugin --resource example.org/widget --devices 2 -- ./widget_plugin "
      "--dir=/var/lib/kubelet/device-plugins");
  Declare(app, command);
  const int words = TakePlugin(argc, argv, command);
  try {
    app.parse(words, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? EXIT_SUCCESS : kBadInput;
  }
  if (command.list) {
    List(command);
    return EXIT_SUCCESS;
  }
  if (command.command.empty() || command.resource.empty()) {
    std::cerr << "a plugin is wanted: --resource NAME -- PROGRAM [ARGUMENT...]; --help says more\n";
    return kBadInput;
  }
  return TryAll(command);
}

}  // namespace
}  // namespace kubelet_cm::scenarios

int main(int argc, char** argv) { return kubelet_cm::scenarios::Main(argc, argv); }
