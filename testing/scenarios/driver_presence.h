// DriverPresence: which drivers of a node in memory are up and can be found, over its kubelets.
//
// Thread-safe.
#ifndef KUBELET_CM_TESTING_SCENARIOS_DRIVER_PRESENCE_H_
#define KUBELET_CM_TESTING_SCENARIOS_DRIVER_PRESENCE_H_

#include <map>
#include <set>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "common/threads/mutex.h"
#include "testing/fakes/memory_drivers.h"
#include "testing/scenarios/cdi_folder.h"
#include "testing/scenarios/scenario.pb.h"

namespace kubelet_cm::scenarios {

namespace proto = ::kubeletcm::scenario::v1;

class DriverPresence {
 public:
  // Both outlive the object, and `cdi` the drivers: they write there.
  DriverPresence(fakes::MemoryDrivers& drivers, CdiFolder& cdi) : drivers_(drivers), cdi_(cdi) {}

  // A new one, or one of before comes back.
  void Start(const proto::StartDriver& start) ABSL_LOCKS_EXCLUDED(mu_);
  absl::Status Stop(const std::string& driver) ABSL_LOCKS_EXCLUDED(mu_);
  // The machine is off: nobody is up, and nothing is prepared when they come back.
  void PowerOff() ABSL_LOCKS_EXCLUDED(mu_);
  // The socket by which it is found goes; it lives on.
  absl::Status Unlink(const std::string& driver) ABSL_LOCKS_EXCLUDED(mu_);
  // A kubelet starts: those that stay away do not register with it.
  void KubeletStarts() ABSL_LOCKS_EXCLUDED(mu_);
  // That are up and can be found.
  std::set<std::string> Up() const {
    return UpWhere([](const State& state) { return !state.unlinked; });
  }

 private:
  struct State {
    bool up = false;
    bool stays_away = false;
    bool unlinked = false;
  };

  void Leave(const std::string& driver) ABSL_LOCKS_EXCLUDED(mu_);
  std::set<std::string> UpWhere(absl::FunctionRef<bool(const State&)> so) const ABSL_LOCKS_EXCLUDED(mu_);

  fakes::MemoryDrivers& drivers_;
  CdiFolder& cdi_;
  mutable Mutex mu_;
  std::map<std::string, State> states_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_DRIVER_PRESENCE_H_
