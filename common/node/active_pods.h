// ActivePods: which pods the node answers for at the moment, and whether that is known yet.
//
// A pod is active from before it is admitted until it has ended for good: whoever admits a pod makes it active first,
// so that nobody takes for left over what is being given to it. Implementations are thread-safe, and answer without
// waiting for I/O: fake_active_pods.h for tests, the container manager's in the daemon.
#ifndef KUBELET_CM_COMMON_NODE_ACTIVE_PODS_H_
#define KUBELET_CM_COMMON_NODE_ACTIVE_PODS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/container/flat_hash_set.h"

namespace kubelet_cm {

using PodUids = absl::flat_hash_set<std::string>;

class ActivePods {
 public:
  virtual ~ActivePods() = default;

  // Whether every source of pods has told what it has. Before that a pod that is missing may still come.
  virtual bool SourcesReady() const = 0;

  // The active pods' uids; never null. The same object as long as nothing has changed.
  virtual std::shared_ptr<const PodUids> Uids() const = 0;

  // Grows when a pod ceases to be active, not before it is missing in Uids(), and when the sources become ready. While
  // it stays as it is, nothing has become left over.
  virtual uint64_t Departures() const = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_NODE_ACTIVE_PODS_H_
