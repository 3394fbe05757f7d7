// Threads: the seam through which product code starts threads and waits.
//
//  - RealThreads (real_threads.h): threads of the operating system.
//  - SeededThreads (seeded_threads.h, tests only): one thread at a time, in an order drawn from a seed.
//
// Everything that waits does so through a Condition, or through what is built on it: Notification (notification.h:
// once), Event (event.h: "there is work", again and again). So there is one kind of wait to schedule. The rules:
//
//  - Nothing waits, joins or destroys a Thread while it holds a Mutex, except the one given to Condition::WaitUntil.
//    Checked at every wait, in every build.
//  - Deadlines are of the Clock that the implementation was made with, clock().
//
// Implementations are thread-safe and outlive what they made.
#ifndef KUBELET_CM_COMMON_THREADS_THREADS_H_
#define KUBELET_CM_COMMON_THREADS_THREADS_H_

#include <memory>

#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "common/clock/clock.h"
#include "common/clock/monotonic_time.h"
#include "common/threads/mutex.h"

namespace kubelet_cm {

// A started thread. Its destructor waits until the thread's function has returned; it does not ask it to return.
class Thread {
 public:
  Thread() = default;
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;
  virtual ~Thread() = default;
};

// A condition variable: what guarded state became true is the caller's business, hence a loop around every wait.
//
//   MutexLock lock(&mu_);
//   while (durable_ < wanted) written_->Wait(&mu_);
//
// with a time limit:
//
//   while (durable_ < wanted && written_->WaitUntil(&mu_, deadline)) {
//   }
//   return durable_ >= wanted;
class Condition {
 public:
  Condition() = default;
  Condition(const Condition&) = delete;
  Condition& operator=(const Condition&) = delete;
  // Nobody waits any more.
  virtual ~Condition() = default;

  // Gives `mu` up, waits for NotifyAll, and returns with `mu` held; may return without a notification. The calling
  // thread holds no other Mutex.
  void Wait(Mutex* mu) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu) { WaitUntil(mu, MonotonicTime::InfiniteFuture()); }

  // As Wait, until `deadline` at most. False when the deadline has been reached, be there a notification or not.
  virtual bool WaitUntil(Mutex* mu, MonotonicTime deadline) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu) = 0;

  // Wakes all who wait. The state that they wait for was changed under their Mutex before; whether that is still held
  // does not matter.
  virtual void NotifyAll() = 0;
};

class Threads {
 public:
  virtual ~Threads() = default;

  // Runs `body` on a new thread. `name` says what it is for; systems show its first 15 characters.
  [[nodiscard]] virtual std::unique_ptr<Thread> Start(absl::string_view name, absl::AnyInvocable<void()> body) = 0;

  // `awaited` says what is waited for, for the report of a deadlock: "checkpoint durable".
  [[nodiscard]] virtual std::unique_ptr<Condition> NewCondition(absl::string_view awaited) = 0;

  // A point where another thread may run; for long computations, and for tests that want more orders to be tried.
  virtual void Yield() = 0;

  // What deadlines are measured by.
  virtual const Clock& clock() const = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_THREADS_THREADS_H_
