// PodsOfScenario: the pods and claims that a scenario speaks of, as objects of the API server: who uses which claim,
// and what a pod was when it is admitted again. For one thread.
#ifndef KUBELET_CM_TESTING_SCENARIOS_PODS_OF_SCENARIO_H_
#define KUBELET_CM_TESTING_SCENARIOS_PODS_OF_SCENARIO_H_

#include <map>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "common/node/pod.h"
#include "testing/scenarios/bench_node.h"

namespace kubelet_cm::scenarios {

class PodsOfScenario {
 public:
  // The pod of the step, with its claims reserved for it at `node`.
  absl::StatusOr<Pod> Make(const proto::Admit& admit, BenchNode& node);
  absl::Status AddClaim(const proto::AddClaim& claim, BenchNode& node);

  // Uids of claims by name, as they are now.
  const std::map<std::string, std::string>& claim_uids() const { return claim_uids_; }

 private:
  std::map<std::string, Pod> pods_;
  std::map<std::string, proto::AddClaim> claims_;
  std::map<std::string, std::string> claim_uids_;
  std::map<std::string, std::set<std::string>> users_;  // pods by claim
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_PODS_OF_SCENARIO_H_
