// A node for measurements of the DRA manager: a real folder on the real disk, real sockets for the drivers, and claims
// that are prepared already when the manager starts.
//
//   DraBenchNode node(1000);
//   node.StartStack(1);
//   const Pod pod = node.NewPod(1);
//   node.Prepare(pod);
//
// Anything that goes wrong ends the program. One thread steers the node; Prepare and Unprepare may be called from many.
#ifndef KUBELET_CM_TOOLS_BENCH_DRA_BENCH_NODE_H_
#define KUBELET_CM_TOOLS_BENCH_DRA_BENCH_NODE_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "common/node/pod.h"
#include "dra/dra_stack.h"
#include "testing/fakes/fake_claim_source.h"
#include "testing/fakes/fake_dra_driver.h"
#include "tools/bench/bench_machine.h"

namespace kubelet_cm {

class DraBenchNode {
 public:
  // The state file has that many prepared claims, each of an active pod.
  explicit DraBenchNode(size_t claims);
  ~DraBenchNode();

  // With that many drivers, which are connected when this returns.
  void StartStack(size_t drivers);
  // Without sockets: the manager alone.
  std::unique_ptr<dra::DraManager> NewManager();
  dra::DraStack& stack() { return *stack_; }

  // An active pod that may use `claims` new claims, each of one of the drivers in turn.
  Pod NewPod(size_t claims);
  void Prepare(const Pod& pod);
  void Unprepare(const Pod& pod);

  BenchMachine& machine() { return machine_; }

 private:
  static std::string DriverName(size_t number);

  BenchMachine machine_;
  fakes::FakeClaimSource claims_;
  size_t last_claim_ = 0;
  std::vector<std::unique_ptr<fakes::FakeDraDriver>> drivers_;
  std::unique_ptr<dra::DraStack> stack_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_TOOLS_BENCH_DRA_BENCH_NODE_H_
