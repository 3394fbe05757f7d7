// RunInParallel: the same work on several things, on a bounded number of threads.
#ifndef KUBELET_CM_DRA_PARALLEL_WORK_H_
#define KUBELET_CM_DRA_PARALLEL_WORK_H_

#include <cstddef>

#include "absl/functional/function_ref.h"
#include "common/threads/threads.h"

namespace kubelet_cm::dra {

// Calls `work` with 0 to `count` - 1, at most `limit` (1 or more) at the same time, and returns when all are done. The
// calling thread does its share, so that one thing needs no thread.
void RunInParallel(Threads& threads, size_t count, size_t limit, absl::FunctionRef<void(size_t)> work);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PARALLEL_WORK_H_
