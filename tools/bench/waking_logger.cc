#include "tools/bench/waking_logger.h"

#include "absl/time/time.h"
#include "common/status/check.h"

namespace kubelet_cm {

void WakingLogger::Write(const LogRecord& /*record*/) {
  MutexLock lock(&mu_);
  ++count_;
  written_.SignalAll();
}

void WakingLogger::Await(absl::FunctionRef<bool()> holds) {
  while (true) {
    size_t seen = 0;
    {
      MutexLock lock(&mu_);
      seen = count_;
    }
    if (holds()) return;
    MutexLock lock(&mu_);
    while (count_ == seen) CHECK(!written_.WaitFor(&mu_, absl::Seconds(30))) << "nothing happens any more";
  }
}

}  // namespace kubelet_cm
