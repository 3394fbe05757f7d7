// TerminationLoop: the thread that goes on with pods on their way out whose claims could not be unprepared.
#ifndef KUBELET_CM_KUBELET_CM_DAEMON_TERMINATION_LOOP_H_
#define KUBELET_CM_KUBELET_CM_DAEMON_TERMINATION_LOOP_H_

#include <memory>

#include "absl/time/time.h"
#include "common/threads/notification.h"
#include "common/threads/threads.h"
#include "kubelet_cm/admission/container_manager.h"

namespace kubelet_cm {

class TerminationLoop {
 public:
  // The first try is made at once: there may be pods of an earlier run. What is given outlives the loop.
  TerminationLoop(Threads& threads, ContainerManager& manager, absl::Duration interval = absl::Seconds(10));
  // Waits for the try that is under way.
  ~TerminationLoop();
  TerminationLoop(const TerminationLoop&) = delete;
  TerminationLoop& operator=(const TerminationLoop&) = delete;

  // Tries no more. Does not wait.
  void Stop() { stopping_.Notify(); }

 private:
  ContainerManager& manager_;
  const absl::Duration interval_;
  Notification stopping_;
  std::unique_ptr<Thread> thread_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_DAEMON_TERMINATION_LOOP_H_
