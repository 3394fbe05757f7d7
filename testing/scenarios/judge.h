// Judge: the oracle of a run and the invariants, and which of them the scenario says that its kubelet breaks.
//
// For one thread.
#ifndef KUBELET_CM_TESTING_SCENARIOS_JUDGE_H_
#define KUBELET_CM_TESTING_SCENARIOS_JUDGE_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "testing/invariants/claim_invariants.h"
#include "testing/invariants/device_invariants.h"
#include "testing/invariants/oracle.h"
#include "testing/scenarios/bench_node.h"

namespace kubelet_cm::scenarios {

class Judge {
 public:
  // A sentence for each thing that is not as it should be.
  using Failures = std::vector<std::string>;

  // Both outlive the judge.
  Judge(BenchNode& node, const proto::Scenario& scenario);

  // The kubelet runs, and the node has settled. `claim_uids`: by name. Returns what was seen, if anything was.
  std::optional<Sight> Check(const std::map<std::string, std::string>& claim_uids, Failures* failures);
  // Every pod has gone, everything works and time has passed.
  void CheckNothingIsLeft(Failures* failures);
  // What is broken, unless the scenario says so.
  void Report(const std::vector<invariants::Violation>& broken, Failures* failures);
  // Of those that the scenario says to be broken, the ones that were not.
  std::vector<std::string> UnbrokenAfterAll() const;

  // There is such a driver.
  void Knows(const std::string& driver) { drivers_.insert(driver); }
  const std::set<std::string>& drivers() const { return drivers_; }
  // The machine is off, and all that ran on it is gone.
  void Booted();
  // Somebody has changed "devices", "claims" or another file.
  void FileChanged(const std::string& file);

  invariants::Oracle& oracle() { return oracle_; }
  invariants::DeviceInvariants& devices() { return devices_; }
  invariants::ClaimInvariants& claims() { return claims_; }

 private:
  BenchNode& node_;
  const proto::Scenario& scenario_;
  invariants::Oracle oracle_;
  invariants::DeviceInvariants devices_;
  invariants::ClaimInvariants claims_;
  std::set<std::string> drivers_;
  std::set<std::string> broken_;  // that the scenario says are broken
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_JUDGE_H_
