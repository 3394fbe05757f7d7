// PluginEndpoint: one connected instance of a device plugin, from its registration to the end of its device stream.
//
// It owns the client and the thread that reads ListAndWatch. Calls have a time limit each; their errors are worded as
// the kubelet's: `rpc error: code = Unknown desc = ...` for what the plugin answers, `endpoint <resource> has been
// stopped` after the end, which is Stop() or the end of the stream, whichever comes first: no call ever reaches a
// plugin that has taken the place of the one that registered. Answers are taken up to 4 MiB, as in the kubelet; what is
// allocated goes into the state file, which must stay readable.
#ifndef KUBELET_CM_DEVICEPLUGIN_ENDPOINT_PLUGIN_ENDPOINT_H_
#define KUBELET_CM_DEVICEPLUGIN_ENDPOINT_PLUGIN_ENDPOINT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/log/logger.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "deviceplugin/api/v1beta1.pb.h"
#include "deviceplugin/endpoint/plugin_client.h"
#include "deviceplugin/inventory/plugin_instances.h"

namespace kubelet_cm::deviceplugin {

// Hears what an endpoint's stream brings. Called on the endpoint's thread, one call at a time, with no lock held. A
// callback may call everything of the endpoint except its destructor.
class PluginEndpointObserver {
 public:
  virtual ~PluginEndpointObserver() = default;

  // A list that the plugin sent; in the order of sending. One that was under way may still come while Stop() runs.
  virtual void OnDevices(InstanceId id, const v1beta1::ListAndWatchResponse& list) = 0;

  // The stream is over and the endpoint stopped: once, and the last call. `reason` is kCancelled after Stop().
  virtual void OnEnded(InstanceId id, const absl::Status& reason) = 0;
};

// Thread-safe. The owner destroys it when no call is in flight (a shared_ptr that each caller holds does that), on any
// thread but its own, with no lock held: the destructor stops it and waits until a running callback has returned, so
// neither may that one wait for a lock of the destroying thread. What OnEnded wants destroyed it hands to another
// thread.
class PluginEndpoint {
 public:
  using DeviceIds = PluginClient::DeviceIds;

  struct Dependencies {
    Threads& threads;
    Logger& log;
  };

  struct Options {
    InstanceId id = 0;  // or SetId
    std::string resource_name = {};
    std::string socket_path = {};
    // Time limits. A kubelet has one for PreStartContainer only.
    absl::Duration get_options_timeout = absl::Seconds(10);
    absl::Duration allocate_timeout = absl::Seconds(60);
    absl::Duration preferred_allocation_timeout = absl::Seconds(30);
    absl::Duration pre_start_timeout = absl::Seconds(30);
  };

  // `dependencies` outlive the endpoint.
  PluginEndpoint(Dependencies dependencies, Options options, std::unique_ptr<PluginClient> client);
  ~PluginEndpoint();
  PluginEndpoint(const PluginEndpoint&) = delete;
  PluginEndpoint& operator=(const PluginEndpoint&) = delete;

  // For whoever made it, before anybody else knows it.
  void SetId(InstanceId id) { id_ = id; }
  InstanceId id() const { return id_; }
  const std::string& resource_name() const { return options_.resource_name; }
  const std::string& socket_path() const { return options_.socket_path; }

  // Its error reads `failed to get device plugin options: <error of the call>`.
  absl::StatusOr<v1beta1::DevicePluginOptions> GetOptions();

  // Starts to read the devices; called once. `observer` outlives the endpoint and may be called at once. Without it
  // nobody is called, not even OnEnded.
  void Watch(PluginEndpointObserver& observer);

  absl::StatusOr<v1beta1::AllocateResponse> Allocate(DeviceIds ids);
  absl::StatusOr<v1beta1::PreferredAllocationResponse> GetPreferredAllocation(DeviceIds available,
                                                                              DeviceIds must_include, int32_t size);
  absl::Status PreStartContainer(DeviceIds ids);

  // Calls in flight end soon, later ones fail, the stream ends, and OnEnded is called soon if Watch was. Does not wait;
  // a second call does nothing.
  void Stop();
  bool stopped() const;

 private:
  // The error of a call as the kubelet words it; OK for OK.
  absl::Status Worded(const absl::Status& status, std::string_view method, absl::Duration timeout) const;
  absl::Status StoppedError() const;
  void ReadDevices(PluginEndpointObserver& observer);
  void LogEnd(const absl::Status& reason);

  Threads& threads_;
  Logger& log_;
  const Options options_;
  InstanceId id_;
  const std::unique_ptr<PluginClient> client_;
  mutable Mutex mu_;
  bool stopped_ ABSL_GUARDED_BY(mu_) = false;
  std::unique_ptr<Thread> reader_;  // null before Watch; uses all of the above
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ENDPOINT_PLUGIN_ENDPOINT_H_
