// ProgramDrivers: the DRA drivers of a ProgramNode, on real sockets where the daemon's plugin watcher finds them.
//
// For one thread; kubelets connect meanwhile.
#ifndef KUBELET_CM_TESTING_SCENARIOS_PROGRAM_DRIVERS_H_
#define KUBELET_CM_TESTING_SCENARIOS_PROGRAM_DRIVERS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "dra/api/dra_api.h"
#include "testing/fakes/fake_dra_driver.h"
#include "testing/harness/real_machine.h"
#include "testing/scenarios/bench_node.h"
#include "testing/scenarios/cdi_folder.h"
#include "testing/scenarios/program_death.h"

namespace kubelet_cm::scenarios {

class ProgramDrivers {
 public:
  // `machine` and `death`, which is asked about each call, outlive the object. `folder` and `registry`: of the sockets,
  // and of those by which they are found; `cdi`: where they write what is prepared.
  ProgramDrivers(harness::RealMachine& machine, std::string folder, std::string registry, const std::string& cdi,
                 ProgramDeath& death);

  // `api`: that a new one speaks from now on.
  absl::Status Start(const proto::StartDriver& start, dra::DraApi api);
  absl::Status Stop(const std::string& driver);
  // The machine is off: nobody is up, and nothing is prepared when they come back.
  void PowerOff();
  absl::Status Fail(const proto::DriverFault& fault);
  absl::Status SetHealth(const proto::DriverHealth& says);
  absl::Status Listen(const proto::DriverSocket& socket);
  int32_t ConnectionCount(const std::string& driver) const;
  // Its registration.
  absl::Status Unlink(const std::string& driver);
  // A kubelet is about to start, and those that stay away are not to be found by it.
  void Hide();

  // And can be found, and listen.
  std::set<std::string> Up() const;
  // Those of them that no kubelet has registered since their socket was made.
  std::set<std::string> Unregistered() const;
  // There ever were.
  std::set<std::string> All() const;
  std::vector<SeenCall> Calls(const std::string& driver) const;
  std::set<std::string> PreparedClaims(const std::string& driver) const;
  // As of CallScript, of all drivers.
  int HeldCount() const;
  void KubeletIsGone();

 private:
  struct Driver {
    bool stays_away = false;
    bool unlinked = false;
    bool one_socket = false;
    bool listens = true;
    std::unique_ptr<fakes::FakeDraDriver> fake = {};
  };

  harness::RealMachine& machine_;
  const std::string folder_;
  const std::string registry_;
  CdiFolder cdi_;
  ProgramDeath& death_;
  std::map<std::string, Driver> drivers_;
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_PROGRAM_DRIVERS_H_
