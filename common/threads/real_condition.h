// RealCondition: the Condition of RealThreads. Every wait parks on a Parker of its own, which a notification and the
// clock's deadline wake alike; that is how one wait works with real and with fake time.
#ifndef KUBELET_CM_COMMON_THREADS_REAL_CONDITION_H_
#define KUBELET_CM_COMMON_THREADS_REAL_CONDITION_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "common/clock/waitable_clock.h"
#include "common/threads/parker.h"
#include "common/threads/threads.h"

namespace kubelet_cm {

class RealCondition : public Condition {
 public:
  // `clock` outlives this.
  RealCondition(WaitableClock& clock, absl::string_view awaited) : clock_(clock), awaited_(awaited) {}
  ~RealCondition() override;

  bool WaitUntil(Mutex* mu, MonotonicTime deadline) override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu);
  void NotifyAll() override;

 private:
  WaitableClock& clock_;
  const std::string awaited_;
  Mutex mu_;  // taken while a waiter's Mutex is held
  std::vector<std::shared_ptr<Parker>> waiting_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_THREADS_REAL_CONDITION_H_
