// One answer of the control API to `cmctl get`, with what is not asked for left out: as rows and as a message.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_NODE_ANSWER_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_NODE_ANSWER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "google/protobuf/message.h"
#include "tools/cmctl/node/control_client.h"
#include "tools/cmctl/node/node_listing.h"

namespace kubelet_cm::cmctl {

struct NodeAnswer {
  Listing listing = {};
  std::shared_ptr<const google::protobuf::Message> message = {};
};

// What is asked for; `kind` is one of `cmctl get` other than events.
struct NodeQuestion {
  std::string kind = {};
  std::string name = {};            // of a resource, plugin, pod or claim; empty: all
  std::string namespace_name = {};  // for a name without one
  bool wide = false;
};

// NotFound for a name that is not there, and the daemon's errors. Blocks.
absl::StatusOr<NodeAnswer> AskNode(ControlClient& daemon, const NodeQuestion& question, absl::Time now);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_NODE_ANSWER_H_
