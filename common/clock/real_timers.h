// RealTimers: one thread and the calls that are due, in order. The thread and its waits come from a Threads.
#ifndef KUBELET_CM_COMMON_CLOCK_REAL_TIMERS_H_
#define KUBELET_CM_COMMON_CLOCK_REAL_TIMERS_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_map.h"
#include "absl/functional/any_invocable.h"
#include "common/clock/timers.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"

namespace kubelet_cm {

class RealTimers : public Timers {
 public:
  // `threads` outlives this.
  explicit RealTimers(Threads& threads);
  // Ends the thread.
  ~RealTimers() override;

  std::unique_ptr<Timer> CallAt(MonotonicTime when, absl::AnyInvocable<void()> callback) override;
  const Clock& clock() const override { return clock_; }

 private:
  class Handle;
  struct Call;
  using Key = std::pair<MonotonicTime, uint64_t>;  // the instant, then the order of scheduling

  bool Cancel(Call& call);
  // Called once by the handle's destructor.
  void Release(Call& call);
  void Run();
  std::shared_ptr<Call> WaitForDueCall();

  const Clock& clock_;
  Mutex mu_;
  const std::unique_ptr<Condition> scheduled_;  // or stopping
  const std::unique_ptr<Condition> call_over_;
  uint64_t calls_made_ ABSL_GUARDED_BY(mu_) = 0;
  int handles_ ABSL_GUARDED_BY(mu_) = 0;
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  absl::btree_map<Key, std::shared_ptr<Call>> pending_ ABSL_GUARDED_BY(mu_);
  std::unique_ptr<Thread> thread_;  // last: it uses all of the above
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_CLOCK_REAL_TIMERS_H_
