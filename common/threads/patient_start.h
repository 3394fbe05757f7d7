// Starting a thread on a system that has none to give at the moment, because a limit of tasks or of memory is reached:
// whoever starts it waits, and the process goes on. Only for RealThreads.
#ifndef KUBELET_CM_COMMON_THREADS_PATIENT_START_H_
#define KUBELET_CM_COMMON_THREADS_PATIENT_START_H_

#include <thread>

#include "absl/functional/function_ref.h"
#include "absl/time/time.h"

namespace kubelet_cm::threads_internal {

// What `make` returns, once it does not throw std::system_error with EAGAIN any more. Other errors pass through.
std::thread StartPatiently(absl::FunctionRef<std::thread()> make, absl::Duration pause = absl::Milliseconds(50));

}  // namespace kubelet_cm::threads_internal

#endif  // KUBELET_CM_COMMON_THREADS_PATIENT_START_H_
