#include "kubelet_cm/daemon/termination_loop.h"

namespace kubelet_cm {

TerminationLoop::TerminationLoop(Threads& threads, ContainerManager& manager, absl::Duration interval)
    : manager_(manager), interval_(interval), stopping_(threads, "the end of the termination loop") {
  thread_ = threads.Start("terminations", [this] {
    do {
      manager_.RetryTerminations();
    } while (!stopping_.WaitFor(interval_));
  });
}

TerminationLoop::~TerminationLoop() {
  Stop();
  thread_.reset();
}

}  // namespace kubelet_cm
