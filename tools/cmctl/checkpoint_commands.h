// The subcommands of `cmctl checkpoint`: flags and help texts.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_COMMANDS_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_COMMANDS_H_

#include <optional>

#include "CLI/CLI.hpp"
#include "tools/cmctl/checkpoint/diff.h"
#include "tools/cmctl/checkpoint/explain.h"
#include "tools/cmctl/checkpoint/rewrite.h"
#include "tools/cmctl/checkpoint/show.h"
#include "tools/cmctl/checkpoint/verify.h"

namespace kubelet_cm::cmctl {

// What the command line said. Lives as long as the CLI::App that fills it.
class CheckpointCommands {
 public:
  // Adds `checkpoint` and its verbs to `app`, which this object must outlive.
  explicit CheckpointCommands(CLI::App& app);
  CheckpointCommands(const CheckpointCommands&) = delete;
  CheckpointCommands& operator=(const CheckpointCommands&) = delete;

  // Runs the verb that was parsed; nothing if it was none of these.
  std::optional<int> Run(const ToolEnvironment& environment) const;

 private:
  void AddShow();
  void AddVerify();
  void AddExplain();
  void AddDiff();
  void AddConvert();
  void AddRepair();

  CLI::App* const group_;
  ShowOptions show_;
  VerifyOptions verify_;
  ExplainOptions explain_;
  DiffOptions diff_;
  ConvertOptions convert_;
  RepairOptions repair_;
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_COMMANDS_H_
