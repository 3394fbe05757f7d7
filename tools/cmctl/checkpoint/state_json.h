// A state file as one JSON object, and any JSON as indented text or YAML.
//
// Pure functions. The JSON given must be right in its syntax.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_STATE_JSON_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_STATE_JSON_H_

#include <string>
#include <string_view>

#include "tools/cmctl/checkpoint/state_file.h"

namespace kubelet_cm::cmctl {

// {"format", "checksum", "computedChecksum", "valid", "problems", "content"}: docs/cmctl_checkpoint.md.
std::string StateJson(const StateFile& file, const ResponseView& responses);

// Two blanks a level, a newline at the end.
std::string IndentedJson(std::string_view json);

// All strings in double quotes, so that none is taken for a number or a bool.
std::string YamlOf(std::string_view json);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_STATE_JSON_H_
