// FakeTimers: the Timers of a FakeClock. Callbacks run on the thread that advances it, inside Advance(), which returns
// when all that fell due are over. With SeededThreads take RealTimers: they run on the threads that it schedules.
#ifndef KUBELET_CM_COMMON_CLOCK_FAKE_TIMERS_H_
#define KUBELET_CM_COMMON_CLOCK_FAKE_TIMERS_H_

#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "common/clock/fake_clock.h"
#include "common/clock/timers.h"
#include "common/threads/mutex.h"

namespace kubelet_cm {

class FakeTimers : public Timers {
 public:
  // `clock` outlives this.
  explicit FakeTimers(FakeClock& clock) : clock_(clock) {}
  ~FakeTimers() override;

  std::unique_ptr<Timer> CallAt(MonotonicTime when, absl::AnyInvocable<void()> callback) override;
  const Clock& clock() const override { return clock_; }

  // How many calls have neither run nor been cancelled.
  int pending() const;

 private:
  class Handle;
  struct Call;

  void Ring(Call& call);
  bool Cancel(Call& call);
  // False when it is too late.
  bool CancelPending(Call& call) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Called once by the handle's destructor.
  void Release(Call& call);

  FakeClock& clock_;
  mutable Mutex mu_;
  CondVar call_over_;
  int handles_ ABSL_GUARDED_BY(mu_) = 0;
  int pending_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_CLOCK_FAKE_TIMERS_H_
