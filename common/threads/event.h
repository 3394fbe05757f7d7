// Event: "there is something to do", said any number of times and heard by one loop.
//
//   while (!stopping()) {
//     Reconcile();
//     wake_.WaitFor(absl::Seconds(60));  // sooner when somebody calls wake_.Set()
//   }
//
// It resets itself: a wait that ends because of Set() takes it back, so that several Set() before a wait count as one
// and none between two waits is lost. With more than one waiting thread, one of them gets it. Thread-safe.
#ifndef KUBELET_CM_COMMON_THREADS_EVENT_H_
#define KUBELET_CM_COMMON_THREADS_EVENT_H_

#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "common/clock/monotonic_time.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"

namespace kubelet_cm {

class Event {
 public:
  // `awaited` says what is being said: "work for the reconciler". `threads` outlives the event.
  Event(Threads& threads, absl::string_view awaited);
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void Set();

  // Waits until it is set, and resets it. The calling thread holds no Mutex.
  void Wait();
  // As Wait, until a deadline by the clock of `threads`. False when the event was not set.
  bool WaitUntil(MonotonicTime deadline);
  bool WaitFor(absl::Duration limit);

 private:
  const Clock& clock_;
  Mutex mu_;
  const std::unique_ptr<Condition> was_set_;
  bool set_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_THREADS_EVENT_H_
