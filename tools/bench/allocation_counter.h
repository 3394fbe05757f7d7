// Counts what a piece of code allocates, for a column of the benchmarks.
//
// Linking this replaces the program's operator new and delete; for benchmark programs only.
#ifndef KUBELET_CM_TOOLS_BENCH_ALLOCATION_COUNTER_H_
#define KUBELET_CM_TOOLS_BENCH_ALLOCATION_COUNTER_H_

#include <cstdint>

#include "absl/functional/function_ref.h"

namespace kubelet_cm {

struct Allocations {
  int64_t count = 0;
  int64_t bytes = 0;
};

// What all threads allocate while `body` runs.
Allocations CountAllocations(absl::FunctionRef<void()> body);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_TOOLS_BENCH_ALLOCATION_COUNTER_H_
