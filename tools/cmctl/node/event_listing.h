// The daemon's events: those that it keeps, and then those that come.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_EVENT_LISTING_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_EVENT_LISTING_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tools/cmctl/node/control_client.h"
#include "tools/cmctl/tool_environment.h"

namespace kubelet_cm::cmctl {

struct EventOptions {
  std::string kind = {};  // only this one; empty: all
  std::string output = "table";
  bool watch = false;
  bool headings = true;
};

// All that are kept, by number.
absl::StatusOr<std::vector<v1::Event>> KeptEvents(ControlClient& daemon, const std::string& kind);

// JSON is a line an event. Returns the exit code: kFailed when a watch ends.
int PrintEvents(ControlClient& daemon, const EventOptions& options, const ToolEnvironment& environment);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_EVENT_LISTING_H_
