// Starting a thread on a system that has none to give at the moment, because a limit of tasks or of memory is reached:
// whoever starts it waits, says so in the log, and the process goes on. For implementations of Threads.
#ifndef KUBELET_CM_COMMON_THREADS_PATIENT_START_H_
#define KUBELET_CM_COMMON_THREADS_PATIENT_START_H_

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "common/log/logger.h"

namespace kubelet_cm::threads_internal {

// Some 50 ms: no event tells that there are threads again.
void PauseForThreads();

struct Patience {
  Logger* log = nullptr;  // null: nothing is said
  absl::string_view thread_name;
  absl::FunctionRef<void()> pause = PauseForThreads;  // between two attempts
};

// Calls `start` until it does not throw std::system_error with EAGAIN any more. Other errors pass through.
void StartPatiently(absl::FunctionRef<void()> start, const Patience& patience);

}  // namespace kubelet_cm::threads_internal

#endif  // KUBELET_CM_COMMON_THREADS_PATIENT_START_H_
