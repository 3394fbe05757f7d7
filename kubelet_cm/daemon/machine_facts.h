// MachineFacts: what the daemon needs to know of the machine that it runs on, read once at the start.
#ifndef KUBELET_CM_KUBELET_CM_DAEMON_MACHINE_FACTS_H_
#define KUBELET_CM_KUBELET_CM_DAEMON_MACHINE_FACTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/filesystem/file_system.h"
#include "common/node/hint_order.h"
#include "kubelet_cm/config/daemon_options.h"

namespace kubelet_cm {

struct MachineFacts {
  std::string boot_id = {};
  std::vector<int> numa_nodes = {0};  // ascending
  NumaDistances numa_distances = {};
};

// The NUMA nodes that the options name win over those that the system shows.
absl::StatusOr<MachineFacts> ReadMachineFacts(FileSystem& files, const config::DaemonOptions& options);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_DAEMON_MACHINE_FACTS_H_
