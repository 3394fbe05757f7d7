// ScriptedPlugin: a fake device plugin without a transport: devices, answers, and a script of what goes wrong.
//
// FakePluginClient (deviceplugin/endpoint) connects to it in memory, FakeDevicePlugin serves it on a unix socket. Tests
// steer it through script() and feed(). Thread-safe; `threads` outlives it.
#ifndef KUBELET_CM_TESTING_FAKES_SCRIPTED_PLUGIN_H_
#define KUBELET_CM_TESTING_FAKES_SCRIPTED_PLUGIN_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/clock/clock.h"
#include "common/clock/monotonic_time.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "deviceplugin/api/v1beta1.pb.h"
#include "testing/fakes/device_feed.h"
#include "testing/fakes/plugin_script.h"

namespace kubelet_cm::fakes {

// `count` healthy devices "<prefix>0", "<prefix>1", ...; on NUMA nodes 0 to `numa_nodes` - 1 in turn, or without
// topology when that is 0.
::v1beta1::ListAndWatchResponse NumberedDevices(std::string_view prefix, int count, int numa_nodes = 0);

// What the answers are unless a test says otherwise: an environment variable FAKE_DEVICES that lists the ids; and the
// devices that must be included, then the first of the available ones.
::v1beta1::ContainerAllocateResponse AnswerWithDeviceIds(absl::Span<const std::string> ids);
std::vector<std::string> PreferTheFirst(const PluginCall& question);

class ScriptedPlugin {
 public:
  using SessionId = PluginScript::SessionId;
  using StreamId = DeviceFeed::StreamId;

  struct Options {
    ::v1beta1::DevicePluginOptions options = {};
    ::v1beta1::ListAndWatchResponse devices = NumberedDevices("dev-", 2);
    std::function<::v1beta1::ContainerAllocateResponse(absl::Span<const std::string> ids)> allocate =
        AnswerWithDeviceIds;
    std::function<std::vector<std::string>(const PluginCall& question)> prefer = PreferTheFirst;
  };

  ScriptedPlugin(Threads& threads, Options options);

  PluginScript& script() { return script_; }
  DeviceFeed& feed() { return feed_; }
  const Clock& clock() const { return clock_; }

  // For transports. `on_death` is told when the script lets the plugin die, on the thread of the fatal call, with no
  // lock held; the session is closed already.
  void OnDeath(std::function<void(SessionId)> on_death);
  SessionId OpenSession();
  // Calls in flight return `why`, and so do later ones; streams end with it.
  void CloseSession(SessionId session, const absl::Status& why);
  // As if the process were killed: all sessions are closed, and so is each that is opened from now on.
  void Kill();

  absl::StatusOr<::v1beta1::DevicePluginOptions> GetOptions(SessionId session, MonotonicTime deadline);
  // `call` has the arguments; its method is set here.
  absl::StatusOr<::v1beta1::AllocateResponse> Allocate(SessionId session, PluginCall call, MonotonicTime deadline);
  absl::StatusOr<::v1beta1::PreferredAllocationResponse> Prefer(SessionId session, PluginCall call,
                                                                MonotonicTime deadline);
  absl::Status PreStart(SessionId session, PluginCall call, MonotonicTime deadline);
  // A stream of feed(), to be forgotten by whoever opened it.
  absl::StatusOr<StreamId> OpenStream(SessionId session);

 private:
  // As PluginScript::Begin; does what an act means for the whole plugin.
  absl::StatusOr<PluginAct> Begin(SessionId session, PluginMethod method, PluginCall call, MonotonicTime deadline);
  void Die(SessionId session);

  const Clock& clock_;
  const Options options_;
  PluginScript script_;
  DeviceFeed feed_;
  Mutex mu_;
  std::function<void(SessionId)> on_death_ ABSL_GUARDED_BY(mu_);
  std::multimap<SessionId, StreamId> streams_ ABSL_GUARDED_BY(mu_);
  std::map<SessionId, absl::Status> closed_ ABSL_GUARDED_BY(mu_);
  std::vector<SessionId> sessions_ ABSL_GUARDED_BY(mu_);
  bool killed_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_SCRIPTED_PLUGIN_H_
