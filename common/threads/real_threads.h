// RealThreads: threads of the operating system. Deadlines are of the clock that it is given: with a RealClock they pass
// by themselves, with a FakeClock when the test advances it. A system that has no thread to give at the moment is
// waited for (patient_start.h).
#ifndef KUBELET_CM_COMMON_THREADS_REAL_THREADS_H_
#define KUBELET_CM_COMMON_THREADS_REAL_THREADS_H_

#include <memory>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "common/clock/waitable_clock.h"
#include "common/log/logger.h"
#include "common/threads/threads.h"

namespace kubelet_cm {

class RealThreads : public Threads {
 public:
  // What is given outlives this. `log`, if any, hears when a thread has to be waited for.
  explicit RealThreads(WaitableClock& clock, Logger* log = nullptr) : clock_(clock), log_(log) {}

  std::unique_ptr<Thread> Start(absl::string_view name, absl::AnyInvocable<void()> body) override;
  std::unique_ptr<Condition> NewCondition(absl::string_view awaited) override;
  void Yield() override;
  const Clock& clock() const override { return clock_; }

 private:
  WaitableClock& clock_;
  Logger* const log_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_THREADS_REAL_THREADS_H_
