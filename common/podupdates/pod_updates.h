// PodUpdates: pods whose status has to be computed again, on the way from whoever noticed (a device turned unhealthy)
// to the one loop that does it.
//
// A pod that is added several times before it is taken is taken once, so there are never more than there are pods and
// nothing is ever dropped. Thread-safe.
#ifndef KUBELET_CM_COMMON_PODUPDATES_POD_UPDATES_H_
#define KUBELET_CM_COMMON_PODUPDATES_POD_UPDATES_H_

#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_set.h"
#include "absl/types/span.h"
#include "common/clock/monotonic_time.h"
#include "common/threads/event.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"

namespace kubelet_cm {

class PodUpdates {
 public:
  // `threads` outlives the object.
  explicit PodUpdates(Threads& threads);
  PodUpdates(const PodUpdates&) = delete;
  PodUpdates& operator=(const PodUpdates&) = delete;

  void Add(absl::Span<const std::string> pod_uids);

  // What there is, sorted; empty when there is nothing.
  std::vector<std::string> Take();
  // As Take, but waits for something until `deadline`. One thread does this at a time.
  std::vector<std::string> WaitAndTake(MonotonicTime deadline);

 private:
  Event added_;
  Mutex mu_;
  absl::btree_set<std::string> pending_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_PODUPDATES_POD_UPDATES_H_
