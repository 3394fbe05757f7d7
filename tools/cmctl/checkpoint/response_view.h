// What a device plugin answered to Allocate, for people and programs. The values of environment variables are redacted
// unless secrets are wanted: plugins pass tokens in them.
//
// Pure functions.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_RESPONSE_VIEW_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_RESPONSE_VIEW_H_

#include <string>
#include <string_view>
#include <vector>

#include "common/gotext/json_writer.h"

namespace kubelet_cm::cmctl {

inline constexpr char kRedacted[] = "<redacted>";

// One thing that a container is given.
struct ResponseItem {
  std::string kind;   // "env", "mount", "device", "annotation", "cdi"
  std::string name;   // "PATH", "/host -> /container (ro)"
  std::string value;  // of an env or an annotation
};

// Sorted by kind in the order above, then by name. For bytes that are no answer, one item of kind "unreadable".
std::vector<ResponseItem> ResponseItems(std::string_view bytes);

// "env A=<redacted>".
std::string ItemText(const ResponseItem& item, bool secrets);

// "2 envs, 1 mount, 1 device", "none".
std::string ResponseSummary(std::string_view bytes);

// {"envs": {...}, "annotations": {...}, "mounts": [...], "devices": [...], "cdiDevices": [...]}, or null if it does not
// parse.
void WriteResponseJson(std::string_view bytes, bool secrets, JsonWriter* writer);

// A device checkpoint's content, to each of whose entries its decoded response is added as "response". Without secrets
// "allocResp", which is the same in base64, is redacted, too.
std::string AddResponses(std::string_view content_json, bool secrets);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_RESPONSE_VIEW_H_
