#include "common/clock/real_timers.h"

#include "common/status/check.h"
#include "common/threads/held_locks.h"

namespace kubelet_cm {
namespace {

// The call whose callback this thread is in. Tells a Timer that is destroyed by its own callback.
constinit thread_local const void* running_call = nullptr;

}  // namespace

struct RealTimers::Call {
  enum class State { kPending, kRunning, kOver };

  Call(Key k, absl::AnyInvocable<void()> c) : key(k), callback(std::move(c)) {}

  const Key key;
  absl::AnyInvocable<void()> callback;  // the timer thread's once running, and the handle's when cancelled
  State state = State::kPending;        // guarded by mu_ of the RealTimers
};

class RealTimers::Handle : public Timer {
 public:
  Handle(RealTimers& timers, std::shared_ptr<Call> call) : timers_(timers), call_(std::move(call)) {}
  ~Handle() override { timers_.Release(*call_); }

  bool Cancel() override { return timers_.Cancel(*call_); }

 private:
  RealTimers& timers_;
  const std::shared_ptr<Call> call_;
};

RealTimers::RealTimers(Threads& threads)
    : clock_(threads.clock()),
      scheduled_(threads.NewCondition("timer due")),
      call_over_(threads.NewCondition("timer callback over")),
      thread_(threads.Start("timers", [this] { Run(); })) {}

RealTimers::~RealTimers() {
  {
    MutexLock lock(&mu_);
    CHECK(handles_ == 0) << handles_ << " Timer(s) outlive the Timers that made them";
    stopping_ = true;
    scheduled_->NotifyAll();
  }
  thread_.reset();
}

std::unique_ptr<Timer> RealTimers::CallAt(MonotonicTime when, absl::AnyInvocable<void()> callback) {
  MutexLock lock(&mu_);
  const Key key(when, calls_made_++);
  auto call = std::make_shared<Call>(key, std::move(callback));
  pending_.emplace(key, call);
  const bool is_next = pending_.begin()->first == key;
  if (is_next) scheduled_->NotifyAll();
  ++handles_;
  return std::make_unique<Handle>(*this, std::move(call));
}

bool RealTimers::Cancel(Call& call) {
  MutexLock lock(&mu_);
  if (call.state == Call::State::kPending) {
    call.state = Call::State::kOver;
    pending_.erase(call.key);
    return true;
  }
  return call.state == Call::State::kOver && call.callback != nullptr;
}

void RealTimers::Release(Call& call) {
  const bool by_its_own_callback = running_call == &call;
  MutexLock lock(&mu_);
  --handles_;
  if (by_its_own_callback || call.state == Call::State::kOver) return;
  // Only this Mutex: even where there is nothing to wait for this time.
  CHECK(threads_internal::held_locks.count == 1) << "a Timer is destroyed while its owner holds a Mutex";
  pending_.erase(call.key);
  while (call.state == Call::State::kRunning) call_over_->Wait(&mu_);
  call.state = Call::State::kOver;
}

void RealTimers::Run() {
  while (const std::shared_ptr<Call> call = WaitForDueCall()) {
    running_call = call.get();
    call->callback();
    running_call = nullptr;
    call->callback = nullptr;
    MutexLock lock(&mu_);
    call->state = Call::State::kOver;
    call_over_->NotifyAll();
  }
}

std::shared_ptr<RealTimers::Call> RealTimers::WaitForDueCall() {
  MutexLock lock(&mu_);
  while (!stopping_) {
    const auto next = pending_.begin();
    if (next == pending_.end()) {
      scheduled_->Wait(&mu_);
    } else if (next->first.first > clock_.MonotonicNow()) {
      scheduled_->WaitUntil(&mu_, next->first.first);
    } else {
      std::shared_ptr<Call> call = std::move(next->second);
      pending_.erase(next);
      call->state = Call::State::kRunning;
      return call;
    }
  }
  return nullptr;
}

}  // namespace kubelet_cm
