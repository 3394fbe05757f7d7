// StopRequest: somebody wants the process to end, be it at work or still starting. A start that hangs, in a file system
// that does not answer for instance, is given up: it has answered nobody yet.
#ifndef KUBELET_CM_KUBELET_CM_LIFE_STOP_REQUEST_H_
#define KUBELET_CM_KUBELET_CM_LIFE_STOP_REQUEST_H_

#include <functional>

#include "absl/time/time.h"
#include "common/threads/notification.h"
#include "common/threads/threads.h"

namespace kubelet_cm::life {

// Thread-safe.
class StopRequest {
 public:
  // `give_up` ends the process. `threads` outlives the object.
  StopRequest(Threads& threads, absl::Duration limit, std::function<void()> give_up);

  // While the process is starting, it waits until that is over; gives up when that takes longer than the limit.
  void Ask();

  // The start is over, well or not.
  void SetStarted() { started_.Notify(); }

  // Waits until somebody has asked.
  void Wait() { asked_.Wait(); }

 private:
  const absl::Duration limit_;
  const std::function<void()> give_up_;
  Notification started_;
  Notification asked_;
};

}  // namespace kubelet_cm::life

#endif  // KUBELET_CM_KUBELET_CM_LIFE_STOP_REQUEST_H_
