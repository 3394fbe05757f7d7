// ProgramPlugins: the device plugins of a ProgramNode, on real sockets in the kubelet's folder. They live on when the
// kubelet dies; each can crash and come back.
//
// For one thread; kubelets connect meanwhile.
#ifndef KUBELET_CM_TESTING_SCENARIOS_PROGRAM_PLUGINS_H_
#define KUBELET_CM_TESTING_SCENARIOS_PROGRAM_PLUGINS_H_

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "deviceplugin/api/plugin_api.h"
#include "deviceplugin/api/v1beta1.pb.h"
#include "testing/fakes/fake_device_plugin.h"
#include "testing/harness/real_machine.h"
#include "testing/scenarios/bench_node.h"
#include "testing/scenarios/program_death.h"

namespace kubelet_cm::scenarios {

class ProgramPlugins {
 public:
  // What a plugin is like now.
  struct State {
    std::string resource;
    std::string socket_path;
    bool listing = false;     // somebody reads its devices
    bool held_calls = false;  // there are some: somebody may wait for its devices
    ::v1beta1::ListAndWatchResponse devices;
  };

  // `machine` and `death`, which is asked about each call, outlive the object. `folder`: of the sockets, with the
  // kubelet's.
  ProgramPlugins(harness::RealMachine& machine, std::string folder, ProgramDeath& death);

  // As of MemoryPlugins.
  absl::Status Start(const proto::StartPlugin& start);
  absl::Status Stop(const proto::StopPlugin& stop);
  void KillAll();
  absl::Status Change(const proto::ChangeDevices& change);
  absl::Status Fail(const proto::PluginFault& fault);
  absl::Status Unlink(const std::string& plugin);
  void MakeSocketsAnew();
  std::vector<std::string> Up(bool followers) const;
  std::vector<SeenCall> Calls(const std::string& plugin) const;
  // Those whose devices somebody reads, with their resource.
  std::map<std::string, std::string> Connected() const;

  // As a plugin does that finds a kubelet's socket. `newest`: what the kubelet offers, which a plugin speaks that was
  // given no API of its own. The kubelet has asked for the devices when this is over.
  absl::Status Register(const std::string& plugin, deviceplugin::PluginApi newest);
  // Nobody is at the other end of any stream any more.
  void KubeletIsGone();
  std::map<std::string, State> All() const;
  // As of CallScript, of all plugins.
  int HeldCount() const;

 private:
  struct Plugin {
    std::string resource;
    std::string api;  // empty: any
    bool stays_away = false;
    bool unlinked = false;  // its socket, and no kubelet has started since
    fakes::ScriptedPlugin::Options options = {};
    deviceplugin::PluginApi spoken = deviceplugin::PluginApi::kV1Beta1;
    std::unique_ptr<fakes::FakeDevicePlugin> fake = {};
    std::vector<SeenCall> earlier_calls = {};  // of one that spoke another API
  };

  absl::StatusOr<Plugin*> FindUp(const std::string& plugin);
  // A fake for it that speaks the API, not serving yet.
  void Make(const std::string& name, Plugin& plugin, deviceplugin::PluginApi api);

  harness::RealMachine& machine_;
  const std::string folder_;
  ProgramDeath& death_;
  std::map<std::string, Plugin> plugins_;
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_PROGRAM_PLUGINS_H_
