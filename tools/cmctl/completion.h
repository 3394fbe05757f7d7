// Completion scripts for shells, made from the command line's own description, so that they know every verb and flag.
#ifndef KUBELET_CM_TOOLS_CMCTL_COMPLETION_H_
#define KUBELET_CM_TOOLS_CMCTL_COMPLETION_H_

#include <string>
#include <string_view>
#include <vector>

namespace kubelet_cm::cmctl {

// A command and what may stand behind it.
struct CompletionNode {
  std::string path;                // "cmctl checkpoint show"
  std::vector<std::string> words;  // subcommands and long flags
};

// `shell` is bash, zsh or fish. Where no verb can stand, files complete, too. Pure
// function.
std::string CompletionScript(std::string_view shell, const std::vector<CompletionNode>& nodes);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_COMPLETION_H_
