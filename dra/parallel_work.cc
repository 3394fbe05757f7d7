#include "dra/parallel_work.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

namespace kubelet_cm::dra {

void RunInParallel(Threads& threads, size_t count, size_t limit, absl::FunctionRef<void(size_t)> work) {
  std::atomic<size_t> next = 0;
  const auto run = [&] {
    for (size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::unique_ptr<Thread>> others;
  for (size_t i = 1; i < std::min(count, limit); ++i) others.push_back(threads.Start("dra-call", run));
  run();
}

}  // namespace kubelet_cm::dra
