#include "common/threads/scarce_threads.h"

#include <system_error>
#include <utility>

#include "common/threads/patient_start.h"

namespace kubelet_cm {

ScarceThreads::ScarceThreads(Threads& threads, Logger& log)
    : threads_(threads), log_(log), replenished_(threads.NewCondition("threads of the system")) {}

void ScarceThreads::RunOut() {
  MutexLock lock(&mu_);
  has_run_out_ = true;
}

void ScarceThreads::Replenish() {
  {
    MutexLock lock(&mu_);
    has_run_out_ = false;
  }
  replenished_->NotifyAll();
}

bool ScarceThreads::has_run_out() const {
  MutexLock lock(&mu_);
  return has_run_out_;
}

void ScarceThreads::AwaitThreads() {
  MutexLock lock(&mu_);
  while (has_run_out_) replenished_->Wait(&mu_);
}

std::unique_ptr<Thread> ScarceThreads::Start(absl::string_view name, absl::AnyInvocable<void()> body) {
  std::unique_ptr<Thread> started;
  threads_internal::StartPatiently(
      [&] {
        if (has_run_out()) throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
        started = threads_.Start(name, std::move(body));
      },
      {.log = &log_, .thread_name = name, .pause = [&] { AwaitThreads(); }});
  return started;
}

}  // namespace kubelet_cm
