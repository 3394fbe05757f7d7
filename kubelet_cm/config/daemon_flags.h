// The daemon's command line flags, as a table: what --help says, what setting one does, and how it reads back.
#ifndef KUBELET_CM_KUBELET_CM_CONFIG_DAEMON_FLAGS_H_
#define KUBELET_CM_KUBELET_CM_CONFIG_DAEMON_FLAGS_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "kubelet_cm/config/daemon_options.h"

namespace kubelet_cm::config {

struct DaemonFlag {
  std::string_view name;          // without dashes
  std::string_view also = {};     // another spelling, with its dashes
  std::string_view group;         // the heading in --help
  std::string_view value = {};    // what it takes: "PORT"; empty: it is a switch
  std::string_view meaning = {};  // may have several lines
  // What --help says it is when it is not given; empty: what `show` makes of default options.
  std::string_view otherwise = {};
  // Several times on a command line: the values count together, comma between them. Else the last one counts.
  bool adds_up = false;

  // kInvalidArgument for a value that it does not take. A switch is given "true" or "false".
  absl::Status (*set)(const std::string& value, DaemonOptions* options);
  std::string (*show)(const DaemonOptions& options);
};

// In the order of --help: group by group. In static storage.
absl::Span<const DaemonFlag> DaemonFlags();

}  // namespace kubelet_cm::config

#endif  // KUBELET_CM_KUBELET_CM_CONFIG_DAEMON_FLAGS_H_
