// WakingLogger: throws lines away, and wakes who waits for what they tell of. Verbosity as in production. Thread-safe.
#ifndef KUBELET_CM_TOOLS_BENCH_WAKING_LOGGER_H_
#define KUBELET_CM_TOOLS_BENCH_WAKING_LOGGER_H_

#include <cstddef>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "common/log/logger.h"
#include "common/threads/mutex.h"

namespace kubelet_cm {

class WakingLogger : public Logger {
 public:
  bool Enabled(int verbosity) const override { return verbosity <= 2; }
  void Write(const LogRecord& record) override;
  // Returns when `holds`, which is asked now and after each line.
  void Await(absl::FunctionRef<bool()> holds);

 private:
  Mutex mu_;
  CondVar written_;
  size_t count_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_TOOLS_BENCH_WAKING_LOGGER_H_
