// SeededScheduler: who runs next under SeededThreads. It hands a baton from one thread to another; only who has it
// runs, so the state here needs no lock: the baton guards it.
//
// A task is a thread as the scheduler knows it: running, ready to run, waiting for something, or done. At every step a
// number drawn from the seed says which ready task goes on. When none is ready, the clock moves to what comes next: the
// deadline of a waiting task or an alarm of the FakeClock.
#ifndef KUBELET_CM_COMMON_THREADS_SEEDED_SCHEDULER_H_
#define KUBELET_CM_COMMON_THREADS_SEEDED_SCHEDULER_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "common/clock/fake_clock.h"
#include "common/random/seeded_random.h"
#include "common/threads/baton.h"

namespace kubelet_cm {

class SeededScheduler : public std::enable_shared_from_this<SeededScheduler> {
 public:
  struct Options {
    uint64_t seed = 0;
    int64_t max_steps = 100000;
    // 0: the clock moves only when no task is ready. N: it also does before one step in N, drawn like the rest.
    uint64_t one_deadline_early_in = 0;
    // Whether trace() is kept.
    bool traced = false;
  };

  struct Task {
    enum class State { kReady, kRunning, kWaiting, kDone };

    std::string name;
    Baton baton;
    State state = State::kReady;
    const void* awaited = nullptr;  // while waiting: the object, what to call it, and for how long
    std::string awaited_name;
    MonotonicTime deadline;
    std::thread thread;
  };

  // `clock` outlives this.
  SeededScheduler(FakeClock& clock, Options options);

  // Runs `body` as task "main", and returns when all tasks are done, or none can go on any more: see
  // SeededThreads::Run.
  absl::Status Run(absl::AnyInvocable<void()> body);

  // What follows is for tasks, except where it says otherwise.

  // A new task, ready to run. It is the scheduler's.
  Task& Spawn(absl::string_view name, absl::AnyInvocable<void()> body);
  // Lets another task run, or not. Does nothing while the task holds a Mutex; outside the tasks while none runs.
  void Step(absl::string_view operation, absl::string_view object = "");
  // Returns after WakeAll(awaited), or when the clock has reached `deadline`. The task holds no Mutex.
  void Wait(const void* awaited, absl::string_view awaited_name, MonotonicTime deadline);
  // Makes ready those who wait for it. It is not a step.
  void WakeAll(const void* awaited);
  void WaitForEnd(const Task& task);

  // For any thread.
  FakeClock& clock() { return clock_; }
  // What was done, in the order in which it was, if that is kept. Not while tasks run.
  const std::vector<std::string>& trace() const { return trace_; }

 private:
  void RunTask(Task& task, absl::AnyInvocable<void()> body);
  // Takes the baton from `self`, and returns when it has it again; at once when `self` is done.
  void PassBaton(Task& self);
  // Null when no task can ever run again.
  Task* PickNext();
  std::optional<MonotonicTime> NextInstant();
  void MakeDueReady();
  // Ends Run(). Whoever is not done never runs again.
  void End(absl::Status result);
  std::string Situation() const;
  // Strings are made only where a trace is kept.
  void Record(absl::string_view who, absl::string_view what, absl::string_view object = "");

  FakeClock& clock_;
  const Options options_;
  SeededRandom random_;
  std::deque<Task> tasks_;                       // in the order of their start
  std::vector<Task*> alive_;                     // those that are not done, in the same order
  std::vector<Task*> ready_;                     // of PickNext, here so that it need not be made anew at every step
  absl::flat_hash_map<std::string, int> named_;  // how many tasks were started with this name
  std::vector<std::string> trace_;
  int64_t steps_ = 0;
  std::atomic<bool> running_ = false;
  Baton ended_;  // what Run() waits for
  absl::Status result_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_THREADS_SEEDED_SCHEDULER_H_
