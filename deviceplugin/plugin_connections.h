// PluginConnections: the device plugins that are connected. Takes registrations, reads what the plugins send into the
// state, and knows through which endpoint a plugin is called.
//
// Several instances of a resource's plugin may be connected, the newest of which is called (inventory/). One that
// registers again on the socket of an earlier one takes its place, in whatever order their streams end, so a
// registration never fails because of what was there before.
//
// Thread-safe. What changes the state file sets the event `changed`; nothing here writes.
#ifndef KUBELET_CM_DEVICEPLUGIN_PLUGIN_CONNECTIONS_H_
#define KUBELET_CM_DEVICEPLUGIN_PLUGIN_CONNECTIONS_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/log/logger.h"
#include "common/node/node_events.h"
#include "common/podupdates/pod_updates.h"
#include "common/threads/event.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "deviceplugin/api/plugin_api.h"
#include "deviceplugin/device_rules.h"
#include "deviceplugin/device_state.h"
#include "deviceplugin/endpoint/plugin_client.h"
#include "deviceplugin/endpoint/plugin_endpoint.h"
#include "deviceplugin/inventory/device_inventory.h"
#include "deviceplugin/inventory/device_list.h"
#include "deviceplugin/registration/registration_handler.h"

namespace kubelet_cm::deviceplugin {

// Connects to the plugin at a socket, or says why not, in upstream's words. Blocks for a bounded time; thread-safe.
using ConnectToPlugin =
    std::function<absl::StatusOr<std::unique_ptr<PluginClient>>(const std::string& socket_path, PluginApi api)>;

// More plugins are refused.
inline constexpr size_t kMaxConnectedPlugins = 1024;
// Resources that have a plugin, or had one until not long ago: plugins with more of them are refused.
inline constexpr size_t kMaxKnownResources = 1024;

class PluginConnections : public RegistrationHandler, private PluginEndpointObserver {
 public:
  struct Dependencies {
    Threads& threads;
    Logger& log;
    DeviceState& state;
    PodUpdates& pod_updates;  // told of pods with a device whose health is another
    NodeEvents* events;       // null: nobody watches
    Event& changed;
    ConnectToPlugin connect;
    DeviceRules rules = {};
  };
  struct Timeouts {
    absl::Duration get_options = absl::Seconds(10);
    absl::Duration allocate = absl::Seconds(60);
    absl::Duration preferred_allocation = absl::Seconds(30);
    absl::Duration pre_start = absl::Seconds(30);
  };

  // What is referred to outlives the object.
  PluginConnections(Dependencies dependencies, Timeouts timeouts);
  // Disconnects all; the state does not hear of it. Nobody calls any more.
  ~PluginConnections() override;
  PluginConnections(const PluginConnections&) = delete;
  PluginConnections& operator=(const PluginConnections&) = delete;

  // OK when the plugin is connected, has told its options and its devices are about to be read. Errors have upstream's
  // texts and leave everything as it was.
  absl::Status Register(const RegisterPlugin& request) override;

  // Ends the connections to the plugin at this socket, as if it had gone. None is no error.
  void Deregister(const std::string& resource, const std::string& socket_path) override;

  // Every call in flight ends soon, and so do the streams: the plugins count as gone. For whoever is on his way out;
  // does not wait.
  void DisconnectAll();

  // Null when that instance is gone.
  std::shared_ptr<PluginEndpoint> Find(InstanceId id) const;

  struct Connected {
    PluginInstance instance;
    std::shared_ptr<PluginEndpoint> endpoint;
  };
  // The resource's primary, if that is another than `asked`: for whoever finds out that the one which he has asked has
  // been replaced meanwhile.
  std::optional<Connected> PrimaryOtherThan(const std::string& resource, const PluginEndpoint* asked) const;

  // Lets go of the connections that have ended. For the housekeeper: waits until their threads are through.
  void Reap();

 private:
  // Of the endpoint's thread.
  void OnDevices(InstanceId id, const v1beta1::ListAndWatchResponse& message) override;
  void OnEnded(InstanceId id, const absl::Status& reason) override;

  absl::Status CheckRoom() const;
  absl::Status Connect(const RegisterPlugin& request);
  absl::Status CheckRoomFor(const std::string& resource) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(deps_.state.mu);
  // For the endpoint's own thread, in whose callback it cannot go away; that thread must not be the last to hold it.
  PluginEndpoint* FindForItsThread(InstanceId id) const;
  // Makes it known and lets go of those at the same socket. Instances are numbered here: one that takes long to answer
  // is no newer than one that has connected meanwhile, and no older than one that has done so before.
  absl::Status Add(const std::shared_ptr<PluginEndpoint>& endpoint, const v1beta1::DevicePluginOptions& options);
  struct ListTaken {
    std::shared_ptr<const DeviceList> list;  // as it counts
    size_t refused = 0;                      // devices for which there was no room
    DeviceInventory::ListChange change = {};
    bool state_changed = false;
  };
  ListTaken TakeList(const std::string& resource, InstanceId id, std::shared_ptr<const DeviceList> devices);
  // Whether the state file could still be written and read if the instance had these devices.
  bool HasRoomFor(const std::string& resource, InstanceId id, const DeviceList& devices) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(deps_.state.mu);
  void LogFindings(const std::string& resource, const ListFindings& findings);
  // As if they had gone.
  void StopInstances(const std::string& resource, absl::FunctionRef<bool(const PluginInstance&)> which);
  // Whether an instance that connects at `socket_path` takes the place of this one.
  bool IsReplaced(const PluginInstance& instance, const std::string& socket_path) const;
  void Tell(NodeEvent event);
  // Pods are to be looked at again. `listed` is what the plugin says now; null when it is gone.
  void Announce(const std::string& resource, std::vector<std::string> health_changed, const DeviceList* listed);
  std::vector<std::string> HoldersOfAny(const std::string& resource, const std::vector<std::string>& ids) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(deps_.state.mu);

  const Dependencies deps_;
  const Timeouts timeouts_;

  mutable Mutex mu_;
  InstanceId last_id_ ABSL_GUARDED_BY(mu_) = 0;
  absl::flat_hash_map<InstanceId, std::shared_ptr<PluginEndpoint>> connected_ ABSL_GUARDED_BY(mu_);
  // Ended, on their own threads, which cannot wait for themselves.
  std::vector<std::shared_ptr<PluginEndpoint>> ended_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_PLUGIN_CONNECTIONS_H_
