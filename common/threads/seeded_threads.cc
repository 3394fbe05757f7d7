#include "common/threads/seeded_threads.h"

#include <utility>

#include "common/status/check.h"
#include "common/threads/held_locks.h"

namespace kubelet_cm {
namespace {

class SeededThread : public Thread {
 public:
  SeededThread(std::shared_ptr<SeededScheduler> scheduler, const SeededScheduler::Task& task)
      : scheduler_(std::move(scheduler)), task_(task) {}
  ~SeededThread() override { scheduler_->WaitForEnd(task_); }

 private:
  const std::shared_ptr<SeededScheduler> scheduler_;
  const SeededScheduler::Task& task_;
};

class SeededCondition : public Condition {
 public:
  SeededCondition(std::shared_ptr<SeededScheduler> scheduler, absl::string_view awaited)
      : scheduler_(std::move(scheduler)), awaited_(awaited) {}

  bool WaitUntil(Mutex* mu, MonotonicTime deadline) override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu) {
    CHECK(threads_internal::held_locks.count == 1) << "waiting for '" << awaited_ << "' while holding a Mutex";
    mu->Unlock();  // no step, so no notification falls between this and the wait
    scheduler_->Wait(this, awaited_, deadline);
    mu->Lock();
    return scheduler_->clock().MonotonicNow() < deadline;
  }

  void NotifyAll() override {
    scheduler_->WakeAll(this);
    scheduler_->Step("notify", awaited_);
  }

 private:
  const std::shared_ptr<SeededScheduler> scheduler_;
  const std::string awaited_;
};

}  // namespace

SeededThreads::SeededThreads(FakeClock& clock, Options options)
    : scheduler_(std::make_shared<SeededScheduler>(clock, options)) {}

absl::Status SeededThreads::Run(absl::AnyInvocable<void()> body) { return scheduler_->Run(std::move(body)); }

std::unique_ptr<Thread> SeededThreads::Start(absl::string_view name, absl::AnyInvocable<void()> body) {
  auto thread = std::make_unique<SeededThread>(scheduler_, scheduler_->Spawn(name, std::move(body)));
  scheduler_->Step("start", name);
  return thread;
}

std::unique_ptr<Condition> SeededThreads::NewCondition(absl::string_view awaited) {
  return std::make_unique<SeededCondition>(scheduler_, awaited);
}

}  // namespace kubelet_cm
