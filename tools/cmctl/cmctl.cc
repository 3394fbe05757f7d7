#include "tools/cmctl/cmctl.h"

#include <algorithm>
#include <optional>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "absl/strings/str_join.h"
#include "tools/cmctl/arguments.h"
#include "tools/cmctl/checkpoint/terminal_text.h"
#include "tools/cmctl/checkpoint_commands.h"
#include "tools/cmctl/completion.h"
#include "tools/cmctl/node_commands.h"

namespace kubelet_cm::cmctl {
namespace {

constexpr char kFooter[] =
    "Examples:\n"
    "  cmctl get devices\n"
    "  cmctl admit -f examples/pod.yaml\n"
    "  cmctl explain pod default/web\n"
    "  cmctl plugin probe /var/lib/kubelet/device-plugins/gpu.sock\n"
    "  cmctl checkpoint explain kubelet_internal_checkpoint\n"
    "  source <(cmctl completion bash)\n"
    "\n"
    "Exit codes: 0 done, 1 the answer is no (or, of diff, different), 2 usage, 3 corrupt, 4 not readable by a "
    "version,\n"
    "5 not found, 6 a file, the daemon or a plugin cannot be reached, or failed.";

// The command and all below it.
void AddNodes(const CLI::App& app, const std::string& path, std::vector<CompletionNode>* nodes) {
  const size_t index = nodes->size();
  nodes->push_back({path, {}});
  for (const CLI::App* below : app.get_subcommands({})) {
    (*nodes)[index].words.push_back(below->get_name());
    AddNodes(*below, path + " " + below->get_name(), nodes);
  }
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) (*nodes)[index].words.push_back("--" + name);
  }
}

int Misused(const std::string& problem, const ToolEnvironment& environment) {
  environment.err << "cmctl: " << Printable(problem) << " (--help says more)\n";
  return kUsage;
}

}  // namespace

int RunCmctl(const std::vector<std::string>& arguments, const ToolEnvironment& environment) {
  CLI::App app("cmctl: looks into the device state of a Kubernetes node.", "cmctl");
  app.footer(kFooter);
  app.require_subcommand(1);
  const NodeCommands node(app);
  const CheckpointCommands checkpoint(app);
  CLI::App* completion = app.add_subcommand("completion", "Prints a completion script for a shell.");
  std::string shell;
  completion->add_option("SHELL", shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completion->footer("Examples:\n  source <(cmctl completion bash)\n  cmctl completion fish | source");
  const absl::StatusOr<std::vector<std::string>> arranged = ArrangeArguments(app, arguments);
  if (!arranged.ok()) return Misused(std::string(arranged.status().message()), environment);
  try {
    // CLI11 takes them from the back.
    app.parse(std::vector<std::string>(arranged->rbegin(), arranged->rend()));
  } catch (const CLI::ExtrasError&) {
    return Misused("there is no place for " + absl::StrJoin(app.remaining(true), " "), environment);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error, environment.out, environment.err);
    return Misused(error.what(), environment);
  }
  if (completion->parsed()) {
    std::vector<CompletionNode> nodes;
    AddNodes(app, "cmctl", &nodes);
    environment.out << CompletionScript(shell, nodes);
    return kOk;
  }
  if (const std::optional<int> code = node.Run(environment); code.has_value()) return *code;
  return checkpoint.Run(environment).value_or(kUsage);
}

}  // namespace kubelet_cm::cmctl
