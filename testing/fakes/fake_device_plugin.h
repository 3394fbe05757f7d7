// FakeDevicePlugin: a device plugin on a real unix socket, of any API version, whose behaviour a test scripts.
//
//   FakeDevicePlugin plugin({threads, files}, {.folder = folder, .api = PluginApi::kV1Beta1});
//   ASSERT_OK(plugin.Start());
//   ASSERT_OK(plugin.Register(kubelet_socket));
//   plugin.script().At(PluginMethod::kAllocate, 1, {.act = PluginAct::kDie});
//   ASSERT_OK(plugin.SetHealth("dev-0", "Unhealthy"));
//
// script() (plugin_script.h) says what goes wrong at which call and what was asked; feed() has the devices. Both
// outlive deaths: calls are counted over all incarnations.
//
// Real plugins come back after a kubelet's restart on their own; Follow() makes this one do it. Some watch the folder
// and take milliseconds, others look every second or every ten; the fake looks at an interval, by the clock of the
// threads.
#ifndef KUBELET_CM_TESTING_FAKES_FAKE_DEVICE_PLUGIN_H_
#define KUBELET_CM_TESTING_FAKES_FAKE_DEVICE_PLUGIN_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/filesystem/file_system.h"
#include "common/threads/event.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "deviceplugin/api/plugin_api.h"
#include "deviceplugin/api/v1beta1.pb.h"
#include "testing/fakes/plugin_script.h"
#include "testing/fakes/scripted_plugin.h"
#include "testing/fakes/served_lives.h"

namespace kubelet_cm::fakes {

// Thread-safe. Destroyed as by Stop().
class FakeDevicePlugin {
 public:
  struct Dependencies {
    Threads& threads;   // of a RealClock, where waits are to pass by themselves
    FileSystem& files;  // the real one
  };

  struct Options {
    std::string resource_name = "example.com/fake";
    std::string folder = {};  // where its socket is
    std::string socket_name = "fake.sock";
    deviceplugin::PluginApi api = deviceplugin::PluginApi::kV1Beta1;
    ScriptedPlugin::Options plugin = {};
    // Told first when the script lets it die, on the thread of the fatal call. A process of its own ends here.
    std::function<void()> on_death = [] {};
  };

  FakeDevicePlugin(Dependencies dependencies, Options options);
  ~FakeDevicePlugin();
  FakeDevicePlugin(const FakeDevicePlugin&) = delete;
  FakeDevicePlugin& operator=(const FakeDevicePlugin&) = delete;

  PluginScript& script() { return plugin_.script(); }
  DeviceFeed& feed() { return plugin_.feed(); }
  std::string socket_path() const;

  // Serves; an incarnation that is still there is killed first.
  absl::Status Start();
  // Tells a kubelet of it. The error is the kubelet's answer.
  absl::Status Register(const std::string& kubelet_socket);
  // Ends as a plugin that was asked to: streams end properly, the socket goes.
  void Stop();
  // Ends as a plugin that crashed: streams and calls are cut, the socket stays.
  void Kill();
  // A new incarnation on the same socket; it does not register by itself.
  absl::Status Restart();
  bool serving() const { return lives_.session().has_value(); }
  // Waits until no incarnation serves and none is still ending, as one does for a while after PluginAct::kDie; what
  // calls it meanwhile may be told Cancelled instead of Unavailable. kDeadlineExceeded after `limit`.
  absl::Status WaitUntilDown(absl::Duration limit = PluginScript::kPatience) const {
    return lives_.WaitUntilDown(limit);
  }

  // Registers now, and again whenever the kubelet's socket is another one than before, or the plugin was started anew,
  // or its own socket is gone, for which it starts anew itself. Looks at once and then every `interval`. A plugin that
  // was killed or stopped stays so until Restart.
  void Follow(const std::string& kubelet_socket, absl::Duration interval);
  // How often a kubelet said yes.
  int registrations() const;

  void SetDevices(::v1beta1::ListAndWatchResponse devices) { feed().Publish(std::move(devices)); }
  absl::Status SetHealth(const std::string& id, const std::string& health) { return feed().SetHealth(id, health); }
  std::vector<PluginCall> Calls() { return script().Calls(); }
  absl::StatusOr<PluginCall> WaitForCall(PluginMethod method, int n) { return script().WaitForCall(method, n); }

 private:
  // The thread that buries the dead and follows a kubelet.
  void LookAfterItself();
  void FollowKubelet(const std::string& kubelet_socket);

  Threads& threads_;
  FileSystem& files_;
  const Options options_;
  ScriptedPlugin plugin_;
  ServedLives lives_;
  Event wake_;
  mutable Mutex mu_;
  std::string kubelet_socket_ ABSL_GUARDED_BY(mu_);  // empty while no kubelet is followed
  absl::Duration interval_ ABSL_GUARDED_BY(mu_) = absl::InfiniteDuration();
  int registrations_ ABSL_GUARDED_BY(mu_) = 0;
  bool ending_ ABSL_GUARDED_BY(mu_) = false;
  // What the last registration of the thread was about: the kubelet's socket, and the incarnation.
  std::optional<FileStat> registered_with_;
  std::optional<ScriptedPlugin::SessionId> registered_as_;
  std::unique_ptr<Thread> thread_;  // uses all of the above
};

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_FAKE_DEVICE_PLUGIN_H_
