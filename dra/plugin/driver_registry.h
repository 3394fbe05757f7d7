// DriverRegistry: the drivers that have registered, and their instances. Takes registrations, watches the connections,
// says which instance is called, and has the ResourceSlices of drivers wiped that are not there.
//
// Several instances of a driver may be there, as during a rolling update: the newest connected one is called, and a
// driver is usable while one of them is connected. A driver that is not usable, be it gone, disconnected or never
// connected, has its slices wiped after 30 s unless it comes back. A lost connection does not deregister an instance;
// its registration socket decides that. How older kubelets did all this is DraDriverRules' business
// (common/personality).
//
// Thread-safe.
#ifndef KUBELET_CM_DRA_PLUGIN_DRIVER_REGISTRY_H_
#define KUBELET_CM_DRA_PLUGIN_DRIVER_REGISTRY_H_

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/log/logger.h"
#include "common/personality/personality.h"
#include "common/random/random.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "dra/plugin/connect_driver.h"
#include "dra/plugin/dra_client.h"
#include "dra/plugin/dra_services.h"
#include "dra/plugin/driver_directory.h"
#include "dra/plugin/driver_instance.h"
#include "dra/plugin/driver_list.h"
#include "dra/plugin/driver_listener.h"
#include "dra/plugin/slice_client.h"
#include "dra/plugin/slice_wiper.h"

namespace kubelet_cm::dra {

class DriverRegistry : public DriverDirectory, private DriverInstanceObserver {
 public:
  struct Dependencies {
    Threads& threads;
    Logger& log;
    Random& random;
    const Personality& kubelet;  // one with DRA
    ConnectToDriver connect;
    SliceClient* slices = nullptr;  // null: there is no API server, and nothing is wiped
    DriverListener* listener = nullptr;
  };

  // Begins to wipe the slices of all drivers: none has registered yet, and some may never come back. What is referred
  // to outlives the object.
  explicit DriverRegistry(Dependencies dependencies);
  // Disconnects all; the listener does not hear of it, and nothing is wiped. Nobody calls any more.
  ~DriverRegistry() override;
  DriverRegistry(const DriverRegistry&) = delete;
  DriverRegistry& operator=(const DriverRegistry&) = delete;

  // Whether the kubelet would speak with the driver. Errors have upstream's texts.
  absl::Status Validate(const DriverInfo& driver) const;

  // Does not wait for a connection. Errors have upstream's texts and leave everything as it was.
  absl::Status Register(const DriverInfo& driver);

  // The instance's calls end soon; no other takes them over. Waits until a callback that is under way is through. None
  // is no error.
  void Deregister(const std::string& driver_name, const std::string& endpoint);

  // Every call in flight ends soon and later ones fail, so that nobody waits for a driver any more. For whoever is on
  // his way out; does not wait. Nobody registers any more.
  void DisconnectAll();

  absl::StatusOr<std::shared_ptr<DraClient>> Find(std::string_view driver_name) const override;

  struct Listed {
    std::string driver_name;
    std::string endpoint;
    bool monitored = false;  // whether it is known if it is connected; until 1.33 kubelets connect when they call
    bool connected = false;
    bool chosen = false;  // the instance that is called

    friend bool operator==(const Listed&, const Listed&) = default;
  };
  // All instances, by driver, each one's oldest first.
  std::vector<Listed> List() const;

 private:
  using Instance = std::shared_ptr<DriverInstance>;

  struct Announcement {
    bool registered;
    RegisteredDriver driver;
  };

  // Of the instances' threads.
  void OnConnection(const RegisteredDriver& driver, bool connected) override;

  struct Added {
    size_t instances = 0;
    std::vector<Instance> replaced = {};
    bool wiping_synced = true;
  };
  absl::StatusOr<Added> Add(const Instance& instance, const std::optional<DriverVersion>& version);
  Instance Take(DriverInstanceId id) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // After each change of what there is of a driver. False if its slices cannot be wiped, because too many others are.
  bool SyncWiping(const std::string& driver_name) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void WarnUnless(bool wiping_synced, const std::string& driver_name);

  // Tells the listener what is to be told, in the order in which it happened, unless another thread does so.
  void DeliverAnnouncements();
  std::optional<Announcement> NextAnnouncement();

  const Dependencies deps_;
  const std::unique_ptr<SliceWiper> wiper_;  // null: nothing is wiped

  mutable Mutex mu_;
  DriverInstanceId last_id_ ABSL_GUARDED_BY(mu_) = 0;
  DriverList list_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<DriverInstanceId, Instance> instances_ ABSL_GUARDED_BY(mu_);  // all that are in the list
  std::deque<Announcement> announcements_ ABSL_GUARDED_BY(mu_);
  bool delivering_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_DRIVER_REGISTRY_H_
