#include "common/log/awaiting_logger.h"

#include <algorithm>
#include <vector>

namespace kubelet_cm {

void AwaitingLogger::Write(const LogRecord& record) {
  CapturingLogger::Write(record);
  MutexLock lock(&mu_);
  ++count_;
  written_.SignalAll();
}

bool AwaitingLogger::Await(absl::FunctionRef<bool()> holds, absl::Duration limit) {
  while (true) {
    size_t seen = 0;
    {
      MutexLock lock(&mu_);
      seen = count_;
    }
    if (holds()) return true;
    MutexLock lock(&mu_);
    while (count_ == seen) {
      if (written_.WaitFor(&mu_, limit)) return false;
    }
  }
}

bool AwaitingLogger::AwaitLine(std::string_view message, size_t count) {
  return Await([&] { return Count(message) >= count; });
}

size_t AwaitingLogger::Count(std::string_view message) const {
  const std::vector<CapturedLine> all = lines();
  return static_cast<size_t>(
      std::count_if(all.begin(), all.end(), [&](const CapturedLine& line) { return line.message == message; }));
}

}  // namespace kubelet_cm
