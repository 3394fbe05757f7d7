// ClaimInvariants: C1 to C4, looked at after every step of a scenario.
//
//   C1  what may have been prepared is unprepared after its last pod is gone
//   C2  no unprepare while a pod may run with the claim
//   C3  a claim is prepared once; again only where its success was not known
//   C4  restarts leave the state files as they are
//
// For one thread.
#ifndef KUBELET_CM_TESTING_INVARIANTS_CLAIM_INVARIANTS_H_
#define KUBELET_CM_TESTING_INVARIANTS_CLAIM_INVARIANTS_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "testing/invariants/oracle.h"
#include "testing/scenarios/bench_node.h"

namespace kubelet_cm::invariants {

class ClaimInvariants {
 public:
  // Both outlive the object.
  ClaimInvariants(scenarios::BenchNode& node, Oracle& oracle) : node_(node), oracle_(oracle) {}

  // `drivers`: all there ever were. `uids`: of the claims, by name.
  std::vector<Violation> Check(const std::set<std::string>& drivers, const std::map<std::string, std::string>& uids);
  // Every pod is gone, every driver up, and time has passed: C1.
  std::vector<Violation> CheckAllGone(const std::set<std::string>& drivers, const Sight& seen);

  // A pod's prepare was answered well.
  void Prepared(const std::string& pod, const std::map<std::string, std::string>& uids);
  // Before a kubelet of `version` is killed while nothing is going on, and when one has started.
  void WillBeKilled(const std::string& version);
  // C4, where the plugins and drivers are the same as before.
  std::vector<Violation> Restarted(const std::string& version);
  // Another step comes between the kill and the start.
  void Interfered() { before_.reset(); }
  // The machine boots: no driver has anything prepared any more.
  void Booted();
  // The state file was changed by somebody: what it said of these claims is lost.
  void FileChanged();

 private:
  struct Before {
    std::string version;
    std::string devices, claims;  // the files' bytes
    std::map<std::string, std::string> plugins;
  };
  std::string FileOrNothing(const char* path);

  scenarios::BenchNode& node_;
  Oracle& oracle_;
  std::map<std::string, size_t> calls_seen_;                  // by driver
  std::set<std::pair<std::string, std::string>> known_;       // driver and claim of which success was answered
  std::set<std::pair<std::string, std::string>> just_known_;  // by a call that is still to be looked at
  std::set<std::string> excused_;                             // uids of claims that nobody can know any more
  std::string ran_;                                           // the version that started last
  std::optional<Before> before_;
};

}  // namespace kubelet_cm::invariants

#endif  // KUBELET_CM_TESTING_INVARIANTS_CLAIM_INVARIANTS_H_
