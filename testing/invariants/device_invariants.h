// DeviceInvariants: D1 and D3 to D7, looked at after every step of a scenario. (D2 is the oracle's: it is about the
// moment of an answer.)
//
//   D1  a device is held by one pod
//   D3  what was answered is there, also after a crash
//   D4  no Allocate is sent for what a running container holds
//   D5  a plugin that is gone: its devices cannot be had, the resource is known for five minutes, and then gone
//   D6  a state file is whole
//   D7  what nobody asked for, nobody holds
//
// For one thread.
#ifndef KUBELET_CM_TESTING_INVARIANTS_DEVICE_INVARIANTS_H_
#define KUBELET_CM_TESTING_INVARIANTS_DEVICE_INVARIANTS_H_

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "testing/invariants/oracle.h"
#include "testing/scenarios/bench_node.h"

namespace kubelet_cm::invariants {

class DeviceInvariants {
 public:
  // Both outlive the object.
  DeviceInvariants(scenarios::BenchNode& node, Oracle& oracle) : node_(node), oracle_(oracle) {}

  // The kubelet runs, and nothing is going on but what the oracle knows to be.
  std::vector<Violation> Check(const Sight& seen);
  // A kubelet has started: times count from now.
  void Restarted();
  // Somebody has changed or removed the file: it is as it is until a kubelet has started.
  void FileChanged(const std::string& file) { changed_files_.insert(file); }

 private:
  struct Absence {
    absl::Duration not_before;  // it may have begun then
    absl::Duration seen;        // it had begun by then
  };

  void CheckHolders(const Sight& seen);
  void CheckAcknowledged(const Sight& seen);
  void CheckAllocations();
  void CheckAbsentPlugins(const Sight& seen);
  void CheckFiles(const Sight& seen);
  void Broken(const std::string& invariant, std::string message);

  scenarios::BenchNode& node_;
  Oracle& oracle_;
  std::vector<Violation> broken_;
  absl::Duration last_check_ = absl::ZeroDuration();
  std::map<std::string, Absence> absent_;                         // by resource
  std::set<std::string> shown_;                                   // resources that this kubelet showed
  std::map<std::string, size_t> calls_seen_;                      // by plugin
  std::map<std::string, std::optional<std::string>> files_seen_;  // that were there: the bytes, if they were whole
  std::set<std::string> changed_files_;
};

}  // namespace kubelet_cm::invariants

#endif  // KUBELET_CM_TESTING_INVARIANTS_DEVICE_INVARIANTS_H_
