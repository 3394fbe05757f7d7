// BenchMachine: a real machine with a log that costs nothing, and many active pods.
#ifndef KUBELET_CM_TOOLS_BENCH_BENCH_MACHINE_H_
#define KUBELET_CM_TOOLS_BENCH_BENCH_MACHINE_H_

#include "testing/harness/real_machine.h"
#include "tools/bench/bench_pods.h"
#include "tools/bench/waking_logger.h"

namespace kubelet_cm {

struct BenchMachine : harness::RealMachine {
  WakingLogger log;
  BenchPods pods;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_TOOLS_BENCH_BENCH_MACHINE_H_
