// AwaitingLogger: a CapturingLogger on whose lines a test can wait.
//
// What happens on other threads is said in a line once it is done. So a condition is looked at after every line, and
// nothing has to be polled:
//
//   ASSERT_TRUE(log.Await([&] { return manager.GetCapacity().capacity == wanted; }));
//
// Thread-safe.
#ifndef KUBELET_CM_COMMON_LOG_AWAITING_LOGGER_H_
#define KUBELET_CM_COMMON_LOG_AWAITING_LOGGER_H_

#include <cstddef>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "common/log/capturing_logger.h"
#include "common/threads/mutex.h"

namespace kubelet_cm {

class AwaitingLogger : public CapturingLogger {
 public:
  using CapturingLogger::CapturingLogger;

  void Write(const LogRecord& record) override;

  // True when `holds`, which is asked now and after each line from now on, on this thread and with no lock held; false
  // when no line has come for `limit` of real time.
  [[nodiscard]] bool Await(absl::FunctionRef<bool()> holds, absl::Duration limit = absl::Seconds(30));

  // Waits until `count` lines with this message are there.
  [[nodiscard]] bool AwaitLine(std::string_view message, size_t count = 1);
  size_t Count(std::string_view message) const;

 private:
  Mutex mu_;
  CondVar written_;
  size_t count_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_LOG_AWAITING_LOGGER_H_
