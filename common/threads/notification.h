// Notification: something that happens once, and that threads wait for.
//
// Thread-safe. The last thread that waited may destroy it at once: Notify does not touch it after the waiters can know.
#ifndef KUBELET_CM_COMMON_THREADS_NOTIFICATION_H_
#define KUBELET_CM_COMMON_THREADS_NOTIFICATION_H_

#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "common/clock/monotonic_time.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"

namespace kubelet_cm {

class Notification {
 public:
  // `awaited` says what will have happened: "plugin connected". `threads` outlives the notification.
  Notification(Threads& threads, absl::string_view awaited);
  ~Notification();
  Notification(const Notification&) = delete;
  Notification& operator=(const Notification&) = delete;

  // It has happened; once and for all. A second call changes nothing.
  void Notify();
  bool HasBeenNotified() const;

  // Waits until it has happened. The calling thread holds no Mutex.
  void Wait();
  // As Wait, until a deadline by the clock of `threads`. Returns HasBeenNotified().
  [[nodiscard]] bool WaitUntil(MonotonicTime deadline);
  [[nodiscard]] bool WaitFor(absl::Duration limit);

 private:
  const Clock& clock_;
  mutable Mutex mu_;
  const std::unique_ptr<Condition> happened_;
  bool notified_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_THREADS_NOTIFICATION_H_
