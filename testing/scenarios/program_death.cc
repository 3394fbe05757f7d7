#include "testing/scenarios/program_death.h"

#include <utility>

namespace kubelet_cm::scenarios {

ProgramDeath::ProgramDeath(Threads& threads, std::function<void()> kill)
    : kill_(std::move(kill)), killed_(threads.NewCondition("a daemon to be gone that dies at a call")) {}

void ProgramDeath::Arm(const std::string& call, int nth) {
  MutexLock lock(&mu_);
  call_ = call;
  left_ = nth;
}

bool ProgramDeath::Disarm() {
  MutexLock lock(&mu_);
  call_.clear();
  while (killing_ > 0) killed_->Wait(&mu_);
  return std::exchange(struck_, false);
}

bool ProgramDeath::struck() const {
  MutexLock lock(&mu_);
  return struck_;
}

absl::Status ProgramDeath::Come(std::string_view call) {
  {
    MutexLock lock(&mu_);
    if (!struck_ && (call != call_ || --left_ > 0)) return absl::OkStatus();
    struck_ = true;
    ++killing_;
  }
  kill_();
  {
    MutexLock lock(&mu_);
    --killing_;
  }
  killed_->NotifyAll();
  return absl::CancelledError("the kubelet is dead");
}

}  // namespace kubelet_cm::scenarios
