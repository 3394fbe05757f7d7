// NodeStart: what was found on the node when this process started, asked once of the container runtime and the system.
// That a machine was booted since the state was written is an input here, not something to be guessed from files.
#ifndef KUBELET_CM_COMMON_NODE_NODE_START_H_
#define KUBELET_CM_COMMON_NODE_NODE_START_H_

#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"

namespace kubelet_cm {

struct NodeStart {
  // The containers that were running, as (pod uid, container name).
  using ContainerKey = std::pair<std::string, std::string>;

  absl::flat_hash_set<ContainerKey> running = {};
  // The machine was booted since the previous run: nothing from before can be running, whatever `running` says.
  bool rebooted = false;
  // Somebody else (a kubelet) may have had the node since this project did, in the same boot.
  bool had_others = false;

  bool WasRunning(const std::string& pod_uid, const std::string& container_name) const {
    return !rebooted && running.contains(ContainerKey(pod_uid, container_name));
  }
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_NODE_NODE_START_H_
