// Oracle: what a scenario's node must know, because it was acknowledged, and what it may know, because it was under way
// when the kubelet died. From the requests and answers alone, never from the kubelet's own state.
//
// A plain value for one thread.
#ifndef KUBELET_CM_TESTING_INVARIANTS_ORACLE_H_
#define KUBELET_CM_TESTING_INVARIANTS_ORACLE_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/node/pod.h"
#include "testing/scenarios/bench_node.h"

namespace kubelet_cm::invariants {

using scenarios::Sight;

// A broken invariant: "D3", and what was seen.
struct Violation {
  std::string invariant;
  std::string message;
};

struct PodMemory {
  Pod pod;
  // Nobody knows: the answer to a request about it was lost.
  bool uncertain = false;
  bool admitted = false;  // was answered; it holds what `holds` says
  bool admitting = false;
  bool prepared = false;               // was answered
  bool ending = false;                 // its removal has begun
  std::set<std::string> running = {};  // containers
  std::map<Sight::Holder, std::set<std::string>> holds = {};
  // What it wants that this kubelet did not know when it admitted the pod, which it does not take back.
  std::set<std::string> unknown = {};
};

class Oracle {
 public:
  // --- Requests about pods, before they are made, and their answers. `seen` is the kubelet just after.

  void BeginAdmit(const Pod& pod);
  // What it was answered; violations of D2.
  std::vector<Violation> EndAdmit(const std::string& uid, bool admitted, const Sight& seen);
  // It was refused while the disk failed, so that what was written of it may not have been taken back: a kubelet that
  // starts may know it again.
  void MayComeBack(const std::string& uid) { may_come_back_.insert(uid); }
  void EndPrepare(const std::string& uid, bool prepared);
  void ContainerRuns(const std::string& uid, const std::string& container, bool runs);
  void BeginRemove(const std::string& uid);
  void EndRemove(const std::string& uid, bool removed);
  // The answer about the pod never came.
  void Lost(const std::string& uid);
  // Nobody asked for it here; a file says that it has something.
  void Found(const std::string& uid);

  // --- The node.

  // A kubelet has started, and `seen` is what it restored: what was lost is settled.
  void Restarted(const Sight& seen);
  // What the disk did not take of its resources, the one before has not handed on.
  void KnowsNoMoreThan(const Sight& seen);
  void Booted();
  // What the state file of "devices" or "claims" said does not hold any more: somebody has changed it.
  void ForgetFile(const std::string& file);
  // A plugin answers for the resource, or the kubelet shows it.
  void Knows(const std::string& resource) { resources_.insert(resource); }
  // The kubelet has let go of it, as it may after a while.
  void Drop(const std::string& resource) { resources_.erase(resource); }

  const std::map<std::string, PodMemory>& pods() const { return pods_; }
  const std::set<std::string>& resources() const { return resources_; }

 private:
  std::map<std::string, PodMemory> pods_;
  std::set<std::string> resources_;
  std::set<std::string> may_come_back_;
};

}  // namespace kubelet_cm::invariants

#endif  // KUBELET_CM_TESTING_INVARIANTS_ORACLE_H_
