#include "kubelet_cm/daemon/machine_facts.h"

#include "common/status/status_macros.h"
#include "kubelet_cm/life/system_facts.h"

namespace kubelet_cm {

absl::StatusOr<MachineFacts> ReadMachineFacts(FileSystem& files, const config::DaemonOptions& options) {
  MachineFacts facts;
  ASSIGN_OR_RETURN(facts.boot_id, life::ReadBootId(files, options.boot_id_file));
  facts.numa_nodes = options.numa_nodes;
  if (facts.numa_nodes.empty()) {
    ASSIGN_OR_RETURN(facts.numa_nodes, life::ReadNumaNodes(files));
  }
  if (options.topology.prefer_closest_numa_nodes) {
    ASSIGN_OR_RETURN(facts.numa_distances, life::ReadNumaDistances(files, facts.numa_nodes));
  }
  return facts;
}

}  // namespace kubelet_cm
