#include "common/clock/fake_timers.h"

#include <utility>

#include "common/status/check.h"
#include "common/threads/held_locks.h"

namespace kubelet_cm {
namespace {

// The call whose callback this thread is in. Tells a Timer that is destroyed by its own callback.
constinit thread_local const void* running_call = nullptr;

}  // namespace

struct FakeTimers::Call {
  enum class State { kPending, kRunning, kOver };

  absl::AnyInvocable<void()> callback;  // the advancing thread's once running, and the handle's when cancelled
  FakeClock::AlarmId alarm;             // guarded, as is `state`, by mu_ of the FakeTimers
  State state = State::kPending;
};

class FakeTimers::Handle : public Timer {
 public:
  Handle(FakeTimers& timers, std::shared_ptr<Call> call) : timers_(timers), call_(std::move(call)) {}
  ~Handle() override { timers_.Release(*call_); }

  bool Cancel() override { return timers_.Cancel(*call_); }

 private:
  FakeTimers& timers_;
  const std::shared_ptr<Call> call_;
};

FakeTimers::~FakeTimers() {
  MutexLock lock(&mu_);
  CHECK(handles_ == 0) << handles_ << " Timer(s) outlive the Timers that made them";
}

std::unique_ptr<Timer> FakeTimers::CallAt(MonotonicTime when, absl::AnyInvocable<void()> callback) {
  auto call = std::make_shared<Call>();
  call->callback = std::move(callback);
  MutexLock lock(&mu_);
  call->alarm = clock_.SetAlarm(when, [this, call] { Ring(*call); });
  ++handles_;
  ++pending_;
  return std::make_unique<Handle>(*this, std::move(call));
}

void FakeTimers::Ring(Call& call) {
  {
    MutexLock lock(&mu_);
    call.state = Call::State::kRunning;
    --pending_;
  }
  running_call = &call;
  call.callback();
  running_call = nullptr;
  call.callback = nullptr;
  MutexLock lock(&mu_);
  call.state = Call::State::kOver;
  call_over_.SignalAll();
}

bool FakeTimers::Cancel(Call& call) {
  MutexLock lock(&mu_);
  if (call.state == Call::State::kPending) return CancelPending(call);
  return call.state == Call::State::kOver && call.callback != nullptr;
}

bool FakeTimers::CancelPending(Call& call) {
  if (!clock_.RemoveAlarm(call.alarm)) return false;  // the clock has taken it and is about to ring
  call.state = Call::State::kOver;
  --pending_;
  return true;
}

void FakeTimers::Release(Call& call) {
  const bool by_its_own_callback = running_call == &call;
  MutexLock lock(&mu_);
  --handles_;
  if (by_its_own_callback || call.state == Call::State::kOver) return;
  // Only this Mutex: even where there is nothing to wait for this time.
  CHECK(threads_internal::held_locks.count == 1) << "a Timer is destroyed while its owner holds a Mutex";
  if (call.state == Call::State::kPending && CancelPending(call)) return;
  while (call.state != Call::State::kOver) call_over_.Wait(&mu_);
}

int FakeTimers::pending() const {
  MutexLock lock(&mu_);
  return pending_;
}

}  // namespace kubelet_cm
