#include "common/threads/seeded_scheduler.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status/check.h"
#include "common/threads/held_locks.h"

namespace kubelet_cm {
namespace {

using threads_internal::held_locks;
using State = SeededScheduler::Task::State;

// Which task this thread is, and of which scheduler.
constinit thread_local SeededScheduler::Task* current_task = nullptr;
constinit thread_local SeededScheduler* current_scheduler = nullptr;

void StepBeforeLock() { current_scheduler->Step("lock"); }

// While the scheduler is at work on a task's thread, the Mutexes that it takes (in the clock, in alarms) are no steps.
class NoSteps {
 public:
  NoSteps() : before_first_(std::exchange(held_locks.before_first, nullptr)) {}
  ~NoSteps() { held_locks.before_first = before_first_; }
  NoSteps(const NoSteps&) = delete;
  NoSteps& operator=(const NoSteps&) = delete;

 private:
  void (*const before_first_)();
};

// Only one task runs at a time. On one processor the next one runs as soon as this one waits; on several, each
// hand-over first wakes a processor that sleeps, which takes longer than what most tasks do in between. Threads inherit
// it from the one that starts them. Where it is not allowed, runs take longer.
void StayOn(int processor) {
  if (processor < 0 || processor >= CPU_SETSIZE) return;
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(processor, &only);
  (void)pthread_setaffinity_np(pthread_self(), sizeof(only), &only);
}

// False on other threads, and inside an alarm that rings because the scheduler moved the clock.
bool IsRunningTask() { return current_task != nullptr && held_locks.before_first != nullptr; }

}  // namespace

SeededScheduler::SeededScheduler(FakeClock& clock, Options options)
    : clock_(clock), options_(options), random_(options.seed) {}

absl::Status SeededScheduler::Run(absl::AnyInvocable<void()> body) {
  CHECK(current_task == nullptr) << "Run() is called by one of the threads that it runs";
  CHECK(tasks_.empty()) << "one SeededThreads is for one Run()";
  running_ = true;
  // Each run has the one where its caller is, so that runs of several processes are spread as the system sees fit.
  Task& main = Spawn("main", [processor = sched_getcpu(), body = std::move(body)]() mutable {
    StayOn(processor);
    body();
  });
  main.state = State::kRunning;
  main.baton.Pass();
  ended_.Take();
  running_ = false;
  for (Task& task : tasks_) {
    if (task.state == State::kDone) {
      task.thread.join();
    } else {
      task.thread.detach();
    }
  }
  return result_;
}

SeededScheduler::Task& SeededScheduler::Spawn(absl::string_view name, absl::AnyInvocable<void()> body) {
  CHECK(running_) << "thread '" << name << "' is started outside Run()";
  const int of_this_name = ++named_[std::string(name)];
  Task& task = tasks_.emplace_back();
  alive_.push_back(&task);
  task.name = of_this_name == 1 ? std::string(name) : absl::StrCat(name, "#", of_this_name);
  // Shared: a thread that never runs again keeps what it waits in.
  task.thread = std::thread(
      [self = shared_from_this(), &task, body = std::move(body)]() mutable { self->RunTask(task, std::move(body)); });
  return task;
}

void SeededScheduler::RunTask(Task& task, absl::AnyInvocable<void()> body) {
  task.baton.Take();
  current_task = &task;
  current_scheduler = this;
  held_locks.before_first = StepBeforeLock;
  body();
  body = nullptr;  // what it captured goes while the task still runs
  threads_internal::CheckHoldsNoMutex();
  const NoSteps no_steps;
  Record(task.name, "end");
  task.state = State::kDone;
  std::erase(alive_, &task);
  WakeAll(&task);
  PassBaton(task);
}

void SeededScheduler::Step(absl::string_view operation, absl::string_view object) {
  if (current_task == nullptr) {
    CHECK(!running_) << "'" << operation << "' by a thread that SeededThreads did not start";
    return;
  }
  if (!IsRunningTask() || held_locks.count > 0) return;
  const NoSteps no_steps;
  Record(current_task->name, operation, object);
  current_task->state = State::kReady;
  PassBaton(*current_task);
}

void SeededScheduler::Wait(const void* awaited, absl::string_view awaited_name, MonotonicTime deadline) {
  CHECK(current_task != nullptr) << "waiting for '" << awaited_name << "' on a thread that SeededThreads did not start";
  CHECK(IsRunningTask()) << "an alarm of the FakeClock waits for '" << awaited_name << "'";
  threads_internal::CheckHoldsNoMutex();
  const NoSteps no_steps;
  Task& self = *current_task;
  Record(self.name, "wait for", awaited_name);
  self.state = State::kWaiting;
  self.awaited = awaited;
  self.awaited_name = std::string(awaited_name);
  self.deadline = deadline;
  PassBaton(self);
}

void SeededScheduler::WakeAll(const void* awaited) {
  CHECK(current_task != nullptr || !running_) << "a notification by a thread that SeededThreads did not start";
  for (Task* const task : alive_) {
    if (task->state == State::kWaiting && task->awaited == awaited) task->state = State::kReady;
  }
}

void SeededScheduler::WaitForEnd(const Task& task) {
  threads_internal::CheckHoldsNoMutex();
  if (current_task == nullptr) {
    CHECK(!running_) << "thread '" << task.name << "' is joined by a thread that SeededThreads did not start";
    return;
  }
  CHECK(current_task != &task) << "a thread joins itself";
  while (task.state != State::kDone) {
    Wait(&task, absl::StrCat("the end of thread ", task.name), MonotonicTime::InfiniteFuture());
  }
}

void SeededScheduler::PassBaton(Task& self) {
  // Before another task has the baton: from then on it may change the state.
  const bool done = self.state == State::kDone;
  Task* const next = PickNext();
  if (next == nullptr || ++steps_ > options_.max_steps) {
    if (next != nullptr) {
      End(absl::ResourceExhaustedError(absl::StrCat("no end after ", options_.max_steps, " steps", Situation())));
    } else if (alive_.empty()) {
      End(absl::OkStatus());
    } else {
      End(absl::AbortedError(absl::StrCat("deadlock", Situation())));
    }
    while (!done) self.baton.Take();
    return;
  }
  next->state = State::kRunning;
  if (next == &self) return;
  next->baton.Pass();
  if (!done) self.baton.Take();
}

SeededScheduler::Task* SeededScheduler::PickNext() {
  for (bool may_move_early = options_.one_deadline_early_in > 0;; may_move_early = false) {
    MakeDueReady();
    ready_.clear();
    for (Task* const task : alive_) {
      if (task->state == State::kReady) ready_.push_back(task);
    }
    const bool early = may_move_early && random_.Below(options_.one_deadline_early_in) == 0;
    if (!ready_.empty() && !early) return ready_[random_.Below(ready_.size())];
    if (const std::optional<MonotonicTime> instant = NextInstant()) {
      clock_.AdvanceTo(*instant);
      if (options_.traced) Record("clock", absl::FormatDuration(instant->since_start()));
    } else if (ready_.empty()) {
      return nullptr;
    }
  }
}

std::optional<MonotonicTime> SeededScheduler::NextInstant() {
  std::optional<MonotonicTime> next = clock_.NextAlarm();
  for (const Task* const task : alive_) {
    if (task->state != State::kWaiting || task->deadline == MonotonicTime::InfiniteFuture()) continue;
    next = next.has_value() ? std::min(*next, task->deadline) : task->deadline;
  }
  return next;
}

void SeededScheduler::MakeDueReady() {
  const MonotonicTime now = clock_.MonotonicNow();
  for (Task* const task : alive_) {
    if (task->state == State::kWaiting && task->deadline <= now) task->state = State::kReady;
  }
}

void SeededScheduler::End(absl::Status result) {
  result_ = std::move(result);
  ended_.Pass();
}

std::string SeededScheduler::Situation() const {
  std::vector<std::string> tasks;
  for (const Task* const task : alive_) {
    const bool waits = task->state == State::kWaiting;
    tasks.push_back(waits ? absl::StrCat(task->name, " waits for '", task->awaited_name, "'")
                          : absl::StrCat(task->name, " can go on"));
  }
  return absl::StrCat(" under seed ", options_.seed, ": ", absl::StrJoin(tasks, "; "));
}

void SeededScheduler::Record(absl::string_view who, absl::string_view what, absl::string_view object) {
  if (!options_.traced) return;
  trace_.push_back(object.empty() ? absl::StrCat(who, ": ", what) : absl::StrCat(who, ": ", what, " '", object, "'"));
}

}  // namespace kubelet_cm
