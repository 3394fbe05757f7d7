#include "kubelet_cm/daemon/state_write_events.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace kubelet_cm {

StateWriteEvents::StateWriteEvents(Threads& threads, NodeEvents& events, std::vector<File> files,
                                   absl::Duration interval)
    : events_(events), stopping_(threads, "the end of looking for writes") {
  for (File& file : files) seen_.push_back({.file = std::move(file), .counts = {}});
  thread_ = threads.Start("state-writes", [this, interval] {
    do {
      Look();
    } while (!stopping_.WaitFor(interval));
    Look();
  });
}

StateWriteEvents::~StateWriteEvents() {
  stopping_.Notify();
  thread_.reset();
}

void StateWriteEvents::Look() {
  for (Seen& seen : seen_) {
    const CheckpointWriterCounts now = seen.file.counts();
    const CheckpointWriterCounts before = std::exchange(seen.counts, now);
    if (now.writes > before.writes) {
      events_.Record({.kind = event_kind::kStateWritten,
                      .subject = seen.file.name,
                      .details = {{"writes", absl::StrCat(now.writes - before.writes)},
                                  {"bytes", absl::StrCat(now.bytes - before.bytes)}}});
    }
    if (now.failures > before.failures) {
      events_.Record({.kind = event_kind::kStateWriteFailed,
                      .subject = seen.file.name,
                      .details = {{"failures", absl::StrCat(now.failures - before.failures)}}});
    }
  }
}

}  // namespace kubelet_cm
