// Deaths: where kubelets on a node in memory die by themselves: at the one place that a sweep has chosen, and wherever
// a step says so (dies_at). Both are operations of one plan, which counts those of all the lives there are.
//
// For the thread that steers the node; the plan is everybody's.
#ifndef KUBELET_CM_TESTING_SCENARIOS_DEATHS_H_
#define KUBELET_CM_TESTING_SCENARIOS_DEATHS_H_

#include "common/filesystem/fault_plan.h"
#include "testing/scenarios/scenario.pb.h"

namespace kubelet_cm::scenarios {

namespace proto = ::kubeletcm::scenario::v1;

class Deaths {
 public:
  // Of the life that runs or comes next.
  FaultPlan& plan() { return recovered_ ? later_ : swept_; }
  const FaultPlan& plan() const { return recovered_ ? later_ : swept_; }
  bool dead() const { return plan().stopped(); }

  // --- For sweeps.

  FaultPlan& swept() { return swept_; }
  // After the sweep's crash: of the lives from now on it chooses no more.
  void Recover() { recovered_ = true; }

  // --- For a step with dies_at.

  void Begin(const proto::DiesAt& place);
  bool died_there() const { return plan().stopped_by() == kAtTheStep; }
  // The step is over, and the kubelet is gone where it died.
  void End();

 private:
  static constexpr char kAtTheStep[] = "dies_at";

  FaultPlan swept_;
  FaultPlan later_;
  bool recovered_ = false;
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_DEATHS_H_
