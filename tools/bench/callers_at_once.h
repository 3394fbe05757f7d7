// CallersAtOnce: runs `call(0)` to `call(callers - 1)`, each on a thread of its own; returns when all have returned.
#ifndef KUBELET_CM_TOOLS_BENCH_CALLERS_AT_ONCE_H_
#define KUBELET_CM_TOOLS_BENCH_CALLERS_AT_ONCE_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "common/threads/threads.h"

namespace kubelet_cm {

inline void CallersAtOnce(Threads& threads, size_t callers, absl::FunctionRef<void(size_t caller)> call) {
  std::vector<std::unique_ptr<Thread>> running;
  for (size_t caller = 0; caller < callers; ++caller) {
    running.push_back(threads.Start("caller", [call, caller] { call(caller); }));
  }
}

}  // namespace kubelet_cm

#endif  // KUBELET_CM_TOOLS_BENCH_CALLERS_AT_ONCE_H_
