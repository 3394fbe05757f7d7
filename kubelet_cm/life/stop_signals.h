// StopSignals: SIGTERM and SIGINT as a call on a thread of ours, where everything is allowed, instead of an
// interruption where nothing is.
#ifndef KUBELET_CM_KUBELET_CM_LIFE_STOP_SIGNALS_H_
#define KUBELET_CM_KUBELET_CM_LIFE_STOP_SIGNALS_H_

#include <csignal>
#include <functional>
#include <memory>

#include "absl/status/statusor.h"
#include "common/threads/threads.h"

namespace kubelet_cm::life {

// Keeps these signals, and SIGPIPE, from every thread that the calling thread starts afterwards: main calls it before
// there are any others. A write to a reader that is gone is then an error and not the end.
void HoldStopSignals();

class StopSignals {
 public:
  // HoldStopSignals has been called. `stop` is called for each signal that comes, one after the other, with its
  // number; signals that came since HoldStopSignals count. `threads` outlives the object.
  static absl::StatusOr<std::unique_ptr<StopSignals>> New(Threads& threads, std::function<void(int signal)> stop);

  // `stop` is not called any more when it returns.
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  StopSignals(int signals, int ending, std::function<void(int)> stop);

  void Listen() const;

  const int signals_;  // a descriptor of signalfd
  const int ending_;   // a descriptor of eventfd: written to when Listen is to end
  const std::function<void(int)> stop_;
  std::unique_ptr<Thread> thread_;
};

}  // namespace kubelet_cm::life

#endif  // KUBELET_CM_KUBELET_CM_LIFE_STOP_SIGNALS_H_
