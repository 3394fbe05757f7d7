// The words of a command line, brought into the order in which the parser wants them, and checked where its messages
// would not help.
//
// Pure functions.
#ifndef KUBELET_CM_TOOLS_CMCTL_ARGUMENTS_H_
#define KUBELET_CM_TOOLS_CMCTL_ARGUMENTS_H_

#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"

namespace kubelet_cm::cmctl {

// What was typed, with flags that stood before their verb behind it, and "pod/default/web" in two words where a kind is
// wanted: -o name prints things that way. `app` has all verbs, each with its flags. InvalidArgument for a verb or a
// flag that there is not; it says which one is nearest.
absl::StatusOr<std::vector<std::string>> ArrangeArguments(const CLI::App& app, const std::vector<std::string>& typed);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_ARGUMENTS_H_
