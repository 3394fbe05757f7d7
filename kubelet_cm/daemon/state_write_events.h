// StateWriteEvents: tells those who watch the node that state files were written. It looks from time to time at how
// much was written, so that a watcher hears of all writes and is not flooded, however many there are.
#ifndef KUBELET_CM_KUBELET_CM_DAEMON_STATE_WRITE_EVENTS_H_
#define KUBELET_CM_KUBELET_CM_DAEMON_STATE_WRITE_EVENTS_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "checkpointmanager/checkpoint_writer.h"
#include "common/node/node_events.h"
#include "common/threads/notification.h"
#include "common/threads/threads.h"

namespace kubelet_cm {

class StateWriteEvents {
 public:
  struct File {
    std::string name;                                // the event's subject: "devices"
    std::function<CheckpointWriterCounts()> counts;  // does not wait
  };

  // `threads`, `events` and what the files refer to outlive the object.
  StateWriteEvents(Threads& threads, NodeEvents& events, std::vector<File> files,
                   absl::Duration interval = absl::Seconds(1));
  // After a last look.
  ~StateWriteEvents();
  StateWriteEvents(const StateWriteEvents&) = delete;
  StateWriteEvents& operator=(const StateWriteEvents&) = delete;

 private:
  struct Seen {
    File file;
    CheckpointWriterCounts counts;
  };
  void Look();

  NodeEvents& events_;
  std::vector<Seen> seen_;  // the thread's
  Notification stopping_;
  std::unique_ptr<Thread> thread_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_DAEMON_STATE_WRITE_EVENTS_H_
