// EventLog: what happened lately, in order, for those who watch.
//
// The newest events are kept; a watcher that is slower than they come is told how many it missed. Recording never waits
// for a watcher. Thread-safe.
#ifndef KUBELET_CM_KUBELET_CM_EVENTS_EVENT_LOG_H_
#define KUBELET_CM_KUBELET_CM_EVENTS_EVENT_LOG_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "common/clock/monotonic_time.h"
#include "common/node/node_events.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"

namespace kubelet_cm {

struct LoggedEvent {
  uint64_t number = 0;  // 1, 2, 3, ...
  absl::Time time = {};
  NodeEvent event = {};
};

class EventLog : public NodeEvents {
 public:
  static constexpr size_t kDefaultKept = 10'000;
  // One Read returns no more.
  static constexpr size_t kMostRead = 1'000;

  // `threads` outlives the log.
  explicit EventLog(Threads& threads, size_t kept = kDefaultKept);

  void Record(NodeEvent event) override ABSL_LOCKS_EXCLUDED(mu_);

  struct Batch {
    uint64_t lost = 0;                                            // before the first one, since `after`
    std::vector<std::shared_ptr<const LoggedEvent>> events = {};  // by number
  };
  // Those after the number `after`; waits until there is one, until the deadline, or until Stop.
  Batch Read(uint64_t after, MonotonicTime deadline) const ABSL_LOCKS_EXCLUDED(mu_);

  // The number of the newest; 0 when there is none.
  uint64_t newest() const ABSL_LOCKS_EXCLUDED(mu_);

  // Nobody waits any more, for good.
  void Stop() ABSL_LOCKS_EXCLUDED(mu_);
  bool stopped() const ABSL_LOCKS_EXCLUDED(mu_);

 private:
  const Clock& clock_;
  const size_t kept_;
  mutable Mutex mu_;
  const std::unique_ptr<Condition> recorded_;
  bool stopped_ ABSL_GUARDED_BY(mu_) = false;
  uint64_t newest_ ABSL_GUARDED_BY(mu_) = 0;
  std::deque<std::shared_ptr<const LoggedEvent>> events_ ABSL_GUARDED_BY(mu_);  // the last of them is the newest
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_EVENTS_EVENT_LOG_H_
