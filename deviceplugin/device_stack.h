// DeviceStack: a device manager that real plugins can reach: the manager, and the socket in the plugin folder at which
// they register.
//
// In the order of a kubelet: the state is restored, then the plugins' old sockets are swept away, and the kubelet's own
// is bound last of all, so that whoever finds it finds a manager that is ready.
#ifndef KUBELET_CM_DEVICEPLUGIN_DEVICE_STACK_H_
#define KUBELET_CM_DEVICEPLUGIN_DEVICE_STACK_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/filesystem/file_system.h"
#include "common/log/logger.h"
#include "common/metrics/registry.h"
#include "common/node/active_pods.h"
#include "common/node/node_events.h"
#include "common/node/node_start.h"
#include "common/podupdates/pod_updates.h"
#include "common/random/random.h"
#include "common/threads/threads.h"
#include "deviceplugin/device_manager.h"
#include "deviceplugin/registration/registration_health.h"
#include "deviceplugin/registration/registration_server.h"
#include "deviceplugin/registration/watcher_handler.h"

namespace kubelet_cm::deviceplugin {

// Shutdown and destruction by one thread; everything else from any.
class DeviceStack {
 public:
  // All of it outlives the stack.
  struct Dependencies {
    FileSystem& files;  // the real one: sockets are made in it
    Random& random;
    Threads& threads;
    Logger& log;
    MetricsRegistry& metrics;
    const ActivePods& active_pods;
    PodUpdates& pod_updates;
    NodeEvents* events = nullptr;  // told of plugins and devices; null: nobody watches
  };

  // Ready for plugins when it returns. `options.folder` is where their sockets are.
  static absl::StatusOr<std::unique_ptr<DeviceStack>> New(const Dependencies& dependencies,
                                                          const DeviceManagerOptions& options, NodeStart node_start);
  // As DeviceManager::NewBeside: what a plugin may set going is found out by then, too.
  static absl::StatusOr<std::unique_ptr<DeviceStack>> NewBeside(const Dependencies& dependencies,
                                                                const DeviceManagerOptions& options,
                                                                DeviceManager::FindNodeStart find_node_start);
  // Takes no more registrations, and disconnects the plugins. Writes nothing: Shutdown does.
  ~DeviceStack();
  DeviceStack(const DeviceStack&) = delete;
  DeviceStack& operator=(const DeviceStack&) = delete;

  DeviceManager& manager() { return *manager_; }
  // For the plugin watcher.
  WatcherHandler& watcher_handler() { return watcher_handler_; }
  // What the health check called device-plugin says; OK when plugins can register.
  absl::Status Health() const { return health_.Check(); }

  // Takes no more registrations, and returns when all that is known is in the state file and the plugins are being
  // disconnected. May be called again.
  absl::Status Shutdown();

 private:
  DeviceStack(std::unique_ptr<DeviceManager> manager, Logger& log);

  const std::unique_ptr<DeviceManager> manager_;
  WatcherHandler watcher_handler_;
  RegistrationHealth health_;
  std::unique_ptr<RegistrationServer> server_;  // null before New is through
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_DEVICE_STACK_H_
