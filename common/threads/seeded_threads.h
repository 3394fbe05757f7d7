// SeededThreads: runs product code one thread at a time, in an order drawn from a seed. Tests only.
//
//   for (uint64_t seed = 0; seed < 1000; ++seed) {
//     FakeClock clock;
//     SeededThreads threads(clock, {.seed = seed});
//     EXPECT_OK(threads.Run([&] { ... what starts threads and waits ... }));
//   }
//
// Threads are of the operating system, but only one of them has the baton and runs. At every operation of the seam
// (start, wait, notify, Yield) and before every Mutex that a thread takes while it holds none, the seed says who goes
// on. The same seed gives the same order, as long as the code asks for nothing else that differs from run to run.
// When no thread can go on, the clock moves to the next deadline; so nothing waits for real.
//
// Mutex stays what it is: the baton never changes hands while one is held, so none is ever contended. Waiting under a
// lock, waiting with a CondVar, and use by threads that were started elsewhere while Run() runs, end the process. What
// this does not find: races inside critical sections and data races (that is ThreadSanitizer's), Mutexes taken in
// opposite orders, and whatever gRPC's own threads do.
//
// Take RealTimers with it: their thread is one of those that are scheduled. Alarms of the FakeClock ring when the clock
// moves, on whichever thread; they may notify but not wait.
#ifndef KUBELET_CM_COMMON_THREADS_SEEDED_THREADS_H_
#define KUBELET_CM_COMMON_THREADS_SEEDED_THREADS_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "common/clock/fake_clock.h"
#include "common/threads/seeded_scheduler.h"
#include "common/threads/threads.h"

namespace kubelet_cm {

class SeededThreads : public Threads {
 public:
  using Options = SeededScheduler::Options;

  // `clock` outlives this.
  SeededThreads(FakeClock& clock, Options options);

  // Runs `body` as thread "main"; once in the life of this object. OK when it and all threads started meanwhile have
  // returned. ABORTED when threads are left, all wait and nothing will ever wake them: a deadlock; RESOURCE_EXHAUSTED
  // after Options::max_steps steps. The message then names the seed, the threads and what each waits for; threads that
  // have not returned never run again: their stacks stay as they are until the process ends, so `body` should own what
  // it uses.
  absl::Status Run(absl::AnyInvocable<void()> body);

  // What happened, "thread: operation" line by line. After Run(), with Options::traced.
  const std::vector<std::string>& trace() const { return scheduler_->trace(); }

  // Inside Run() only.
  std::unique_ptr<Thread> Start(absl::string_view name, absl::AnyInvocable<void()> body) override;
  std::unique_ptr<Condition> NewCondition(absl::string_view awaited) override;
  void Yield() override { scheduler_->Step("yield"); }
  const Clock& clock() const override { return scheduler_->clock(); }

 private:
  const std::shared_ptr<SeededScheduler> scheduler_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_THREADS_SEEDED_THREADS_H_
