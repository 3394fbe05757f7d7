// MemoryDrivers: a DriverDirectory of drivers in memory. The drivers outlive managers that are killed; the connections
// to them do not.
#ifndef KUBELET_CM_TESTING_FAKES_MEMORY_DRIVERS_H_
#define KUBELET_CM_TESTING_FAKES_MEMORY_DRIVERS_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "dra/plugin/driver_directory.h"
#include "testing/fakes/fake_dra_client.h"
#include "testing/fakes/scripted_driver.h"

namespace kubelet_cm::fakes {

// Thread-safe.
class MemoryDrivers : public dra::DriverDirectory {
 public:
  // Outlives the object.
  explicit MemoryDrivers(Threads& threads) : threads_(threads) {}

  // A driver that is registered.
  ScriptedDriver& Add(const std::string& name, ScriptedDriver::Options options = {});
  // Of a driver that was added, registered or not.
  ScriptedDriver& driver(const std::string& name) const;
  // It is not registered any more, and its connection ends; until it comes back.
  void Leave(const std::string& name);
  void ComeBack(const std::string& name);
  // As when the process is killed: every connection ends, and there is no new one before Reconnect().
  void CutOff();
  void Reconnect();

  absl::StatusOr<std::shared_ptr<dra::DraClient>> Find(std::string_view driver_name) const override;

 private:
  struct Entry {
    std::unique_ptr<ScriptedDriver> driver;
    bool registered = true;
    std::shared_ptr<dra::DraClient> client = nullptr;  // null: not connected
  };

  Threads& threads_;
  mutable Mutex mu_;
  mutable std::map<std::string, Entry, std::less<>> drivers_ ABSL_GUARDED_BY(mu_);
  bool cut_off_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_MEMORY_DRIVERS_H_
