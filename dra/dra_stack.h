// DraStack: a DRA manager that real drivers can reach: the manager, the registry of drivers with their connections, the
// monitor of their devices' health, and, as 1.30, the publisher of what they have.
//
// The state is restored before a driver can register, and a stack that goes away disconnects them before it waits for
// anything.
#ifndef KUBELET_CM_DRA_DRA_STACK_H_
#define KUBELET_CM_DRA_DRA_STACK_H_

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "checkpointmanager/checkpoint_manager.h"
#include "common/filesystem/file_system.h"
#include "common/log/logger.h"
#include "common/metrics/registry.h"
#include "common/node/active_pods.h"
#include "common/node/node_events.h"
#include "common/node/node_start.h"
#include "common/node/pod.h"
#include "common/personality/personality.h"
#include "common/podupdates/pod_updates.h"
#include "common/random/random.h"
#include "common/threads/threads.h"
#include "dra/claim/claim_status.h"
#include "dra/claim_source.h"
#include "dra/dra_manager.h"
#include "dra/health/health_listener.h"
#include "dra/health/health_monitor.h"
#include "dra/health/health_restore.h"
#include "dra/plugin/driver_call_metrics.h"
#include "dra/plugin/driver_listener.h"
#include "dra/plugin/driver_registry.h"
#include "dra/plugin/slice_client.h"
#include "dra/plugin/watcher_handler.h"
#include "dra/slices/slice_publisher.h"

namespace kubelet_cm::dra {

// Destruction by one thread; everything else from any.
class DraStack : private DriverListener {
 public:
  // All of it outlives the stack.
  struct Dependencies {
    FileSystem& files;
    Random& random;
    Threads& threads;
    Logger& log;
    MetricsRegistry& metrics;
    const ActivePods& active_pods;
    PodUpdates& pod_updates;  // told of pods with a device whose health is another
    ClaimSource& claims;
    NodeEvents* events = nullptr;   // told of drivers; null: nobody watches
    SliceClient* slices = nullptr;  // null: there is no API server, and nothing is wiped or published
  };
  struct Options {
    DraManagerOptions manager = {};
    bool device_health = true;  // ResourceHealthStatus, where the kubelet has it
  };

  // Ready for drivers when it returns. kUnimplemented for a kubelet without DRA.
  static absl::StatusOr<std::unique_ptr<DraStack>> New(const Dependencies& dependencies, const Options& options,
                                                       const NodeStart& node_start);
  // As a kill does: drivers are disconnected, and nothing more is written. Nobody calls any more.
  ~DraStack() override;

  // Every call to a driver ends soon and later ones fail, so that nobody waits for one any more; what drivers said of
  // their devices' health is kept for the next start. For whoever is on his way out; does not wait.
  void DisconnectDrivers();

  DraManager& manager() { return *manager_; }
  DriverRegistry& drivers() { return *registry_; }
  // For the plugin watcher.
  WatcherHandler& watcher_handler() { return watcher_handler_; }

  // For the container's status, with what is known of the devices' health; nothing where that is not asked for. Never
  // waits.
  std::vector<ClaimStatus> ClaimStatuses(const Pod& pod, const Container& container) const;

 private:
  DraStack(const Dependencies& dependencies, const Personality& kubelet);

  void StartHealth(const Dependencies& dependencies, const Personality& kubelet, HealthRestore restored);

  void Tell(std::string_view kind, const RegisteredDriver& driver);
  void OnRegistered(const RegisteredDriver& driver) override;
  void OnDeregistered(const RegisteredDriver& driver) override;

  NodeEvents* const events_;  // null: nobody watches
  const DriverCallMetrics call_metrics_;
  // Each uses those above it.
  const std::unique_ptr<DriverRegistry> registry_;
  WatcherHandler watcher_handler_;
  std::unique_ptr<DraManager> manager_;              // null before New is through
  std::unique_ptr<CheckpointManager> health_files_;  // null, as what follows it, where health is not asked for
  std::unique_ptr<HealthMonitor> monitor_;
  std::optional<HealthListener> listener_;
  std::unique_ptr<SlicePublisher> publisher_;  // null where nothing is published
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_DRA_STACK_H_
