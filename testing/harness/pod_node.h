// PodNode: a node with the whole way of a pod through the device stack, for tests: both managers, the pods and their
// store, plugins and drivers in memory, on a modelled disk. All of it can be killed and started again.
//
//   PodNode node;
//   ASSERT_OK(node.Start());
//   ASSERT_OK(node.RunPlugin("example.com/device", {.devices = fakes::NumberedDevices("dev-", 2)}));
//   ASSERT_OK_AND_ASSIGN(SharedPodRecord pod, node.manager().AdmitPod(PodWith("a", {{"example.com/device", 1}}), ...));
//   node.Kill();
//   ASSERT_OK(node.Start());
//
// The clock stands still until it is advanced. One thread steers the node; calls to the manager may come from many.
#ifndef KUBELET_CM_TESTING_HARNESS_POD_NODE_H_
#define KUBELET_CM_TESTING_HARNESS_POD_NODE_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "common/clock/fake_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/log/awaiting_logger.h"
#include "common/metrics/registry.h"
#include "common/podupdates/pod_updates.h"
#include "common/random/seeded_random.h"
#include "common/threads/real_threads.h"
#include "deviceplugin/device_manager.h"
#include "dra/dra_manager.h"
#include "kubelet_cm/admission/container_manager.h"
#include "kubelet_cm/admission/pod_admission.h"
#include "kubelet_cm/events/event_log.h"
#include "kubelet_cm/pods/pod_store.h"
#include "kubelet_cm/pods/pod_table.h"
#include "testing/fakes/fake_claim_source.h"
#include "testing/fakes/memory_drivers.h"
#include "testing/fakes/scripted_plugin.h"
#include "testing/harness/restart_twin.h"

namespace kubelet_cm::harness {

class PodNode {
 public:
  struct Options {
    PodAdmission::Options admission = {};
    bool dra = true;  // false: a kubelet without it
  };

  PodNode();
  ~PodNode();
  PodNode(const PodNode&) = delete;
  PodNode& operator=(const PodNode&) = delete;

  // Restores what is on the disk, and starts everything where nothing runs.
  absl::Status Start() { return Start(Options()); }
  absl::Status Start(const Options& options);
  // Kills it: nothing that is not on the disk yet gets there.
  void Kill();
  // In a restart twin (restart_twin.h): Kill and Start as before, and the plugins are back. Nothing otherwise.
  absl::Status MaybeRestart();
  void NoRestart(std::string_view why) { twin_.NoRestart(why); }
  // The machine boots: its boot id is another from the next start on. Nothing is running meanwhile.
  void Boot() { boot_id_ += "+"; }

  // Registers it, and waits for its devices. It lives on when the node is killed, and can register again.
  absl::Status RunPlugin(const std::string& resource, fakes::ScriptedPlugin::Options options = {});
  absl::Status RegisterAgain(const std::string& resource);
  fakes::ScriptedPlugin& plugin(const std::string& resource) { return *plugins_.at(resource); }

  // Makes a claim that has a device of each of these drivers, reserved for the pod.
  void AddClaim(const std::string& name, const std::vector<std::string>& driver_names, const std::string& pod_uid);

  ContainerManager& manager() { return *life_->manager; }
  PodTable& pods() { return life_->pods; }
  deviceplugin::DeviceManager& devices() { return *life_->devices; }
  dra::DraManager& claims_manager() { return *life_->claims; }
  MetricsRegistry& metrics() { return life_->metrics; }
  std::vector<std::string> Devices(const std::string& pod_uid, const std::string& resource);
  // The kinds of all events since the start, in their order.
  std::vector<std::string> EventKinds();

  FakeClock clock;
  RealThreads threads{clock};
  FakeFileSystem disk;
  FaultPlan faults;
  SeededRandom random{1};
  AwaitingLogger log;
  fakes::FakeClaimSource claims;
  fakes::MemoryDrivers drivers{threads};

 private:
  // From one start to the kill.
  struct Life {
    Life(PodNode& node, const Options& options);

    FaultPlan death;
    FaultyFileSystem planned;
    FaultyFileSystem files;
    MetricsRegistry metrics;
    PodUpdates pod_updates;
    PodTable pods;
    EventLog events;
    std::unique_ptr<PodStore> store;
    std::unique_ptr<deviceplugin::DeviceManager> devices;
    std::unique_ptr<dra::DraManager> claims;
    std::optional<PodAdmission> admission;
    std::optional<ContainerManager> manager;
  };

  absl::Status Build(Life& life, const Options& options);

  RestartTwin twin_;
  Options options_;  // of the last start
  std::string boot_id_ = "boot";
  Mutex mu_;
  std::map<std::string, std::unique_ptr<fakes::ScriptedPlugin>> plugins_;
  std::unique_ptr<Life> life_;
};

}  // namespace kubelet_cm::harness

#endif  // KUBELET_CM_TESTING_HARNESS_POD_NODE_H_
