// Timers: calls a function later.
//
//  - RealTimers (real_timers.h): on a thread of the Threads seam, hence also under SeededThreads.
//  - FakeTimers (fake_timers.h, tests only): inside FakeClock::Advance, for tests that have no threads.
//
// Callbacks run one after the other, in the order of their instants, those of the same instant in the order in which
// they were scheduled; on a thread of the timers, with no lock held. They are short and do not wait: the next one does.
#ifndef KUBELET_CM_COMMON_CLOCK_TIMERS_H_
#define KUBELET_CM_COMMON_CLOCK_TIMERS_H_

#include <memory>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/time/time.h"
#include "common/clock/clock.h"
#include "common/clock/monotonic_time.h"

namespace kubelet_cm {

// One scheduled call. Whoever owns what the callback touches owns the Timer too, declared below it: the destructor
// cancels the call, or waits until a callback that has begun is over. After it, the callback and what it captured are
// gone. So the owner can be destroyed at any time. Two rules:
//
//  - Deadlock: do not destroy a Timer while holding a Mutex; its callback may be waiting for it. This is checked unless
//    the call is known to be over or cancelled: under a lock, Cancel(), then destroy it outside.
//  - A callback may destroy its own Timer: that returns at once, and the callback lives until it returns.
class Timer {
 public:
  Timer() = default;
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;
  virtual ~Timer() = default;

  // Never waits. True when the callback has not begun and never will.
  virtual bool Cancel() = 0;
};

class Timers {
 public:
  Timers() = default;
  Timers(const Timers&) = delete;
  Timers& operator=(const Timers&) = delete;
  // All Timers are destroyed before.
  virtual ~Timers() = default;

  // Calls `callback` once when the clock has reached `when`; soon, and never inside this call, when that is past.
  [[nodiscard]] virtual std::unique_ptr<Timer> CallAt(MonotonicTime when, absl::AnyInvocable<void()> callback) = 0;

  [[nodiscard]] std::unique_ptr<Timer> CallAfter(absl::Duration delay, absl::AnyInvocable<void()> callback) {
    return CallAt(clock().MonotonicNow() + delay, std::move(callback));
  }

  virtual const Clock& clock() const = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_CLOCK_TIMERS_H_
