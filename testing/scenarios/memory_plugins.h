// MemoryPlugins: the device plugins of a MemoryNode. They live on when the kubelet dies; each can crash and come back.
//
// Thread-safe: kubelets connect while somebody steers.
#ifndef KUBELET_CM_TESTING_SCENARIOS_MEMORY_PLUGINS_H_
#define KUBELET_CM_TESTING_SCENARIOS_MEMORY_PLUGINS_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "deviceplugin/endpoint/plugin_client.h"
#include "testing/fakes/scripted_plugin.h"
#include "testing/scenarios/bench_node.h"
#include "testing/scenarios/call_edges.h"

namespace kubelet_cm::scenarios {

class MemoryPlugins {
 public:
  // How a plugin registers.
  struct Introduction {
    std::string resource;
    std::string endpoint;  // the name of its socket
    std::string api;       // empty: any
  };

  // Outlives the object.
  explicit MemoryPlugins(Threads& threads) : threads_(threads) {}

  // A new one, or a new incarnation of one that has stopped: with what it had, where the step does not say.
  absl::Status Start(const proto::StartPlugin& start);
  absl::Status Stop(const proto::StopPlugin& stop);
  void KillAll();
  absl::Status Change(const proto::ChangeDevices& change);
  absl::Status Fail(const proto::PluginFault& fault);
  // Nobody finds its socket any more; whoever is connected stays so.
  absl::Status Unlink(const std::string& plugin);
  // A kubelet starts: every plugin makes its socket anew when it registers with it.
  void MakeSocketsAnew();

  absl::StatusOr<Introduction> Introduce(const std::string& plugin) const;
  // Names of those that are up; `followers`: and register by themselves when a kubelet starts.
  std::vector<std::string> Up(bool followers) const;
  // What a kubelet gets that dials the socket. `edges` outlives the client.
  absl::StatusOr<std::unique_ptr<deviceplugin::PluginClient>> Connect(const std::string& socket_path, CallEdges& edges);

  std::vector<SeenCall> Calls(const std::string& plugin) const;
  // Those whose devices somebody reads, with their resource.
  std::map<std::string, std::string> Connected() const;

 private:
  struct Plugin {
    Introduction introduction;
    bool stays_away = false;
    bool up = false;
    bool unlinked = false;  // its socket
    fakes::ScriptedPlugin::Options options = {};
    // Incarnations, the last of which may be up. Connections to earlier ones may still be closing.
    std::vector<std::unique_ptr<fakes::ScriptedPlugin>> lives = {};
  };
  class Client;

  absl::StatusOr<fakes::ScriptedPlugin*> FindUp(const std::string& plugin) const ABSL_LOCKS_EXCLUDED(mu_);
  void Died(const std::string& plugin) ABSL_LOCKS_EXCLUDED(mu_);

  Threads& threads_;
  mutable Mutex mu_;
  std::map<std::string, Plugin> plugins_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_MEMORY_PLUGINS_H_
