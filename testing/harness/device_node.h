// DeviceNode: a node with a device manager, for tests: a disk, plugins, pods and a clock, all in this process, and a
// manager that can be killed and started again as any kubelet.
//
//   DeviceNode node;
//   ASSERT_OK(node.Start("1.19"));
//   ASSERT_OK(node.RunPlugin("example.com/device", "a.sock", {.devices = NumberedDevices("dev-", 2)}));
//   ASSERT_OK(node.Admit(PodWith("pod", {{"example.com/device", 1}})));
//   node.Kill();
//   ASSERT_OK(node.Start("1.20.15"));
//
// Plugins are reached in memory and live on when the manager dies. The clock stands still until it is advanced. One
// thread steers the node; admissions may come from many.
#ifndef KUBELET_CM_TESTING_HARNESS_DEVICE_NODE_H_
#define KUBELET_CM_TESTING_HARNESS_DEVICE_NODE_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "common/clock/fake_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/log/awaiting_logger.h"
#include "common/metrics/registry.h"
#include "common/node/fake_active_pods.h"
#include "common/node/node_start.h"
#include "common/node/pod.h"
#include "common/podupdates/pod_updates.h"
#include "common/random/seeded_random.h"
#include "common/threads/real_threads.h"
#include "common/threads/scarce_threads.h"
#include "deviceplugin/device_manager.h"
#include "gtest/gtest.h"
#include "testing/fakes/scripted_plugin.h"

namespace kubelet_cm::harness {

// A pod with one app container "main" that has these limits.
Pod PodWith(const std::string& uid, absl::btree_map<std::string, int64_t> limits);

class DeviceNode {
 public:
  static constexpr char kFolder[] = "/var/lib/kubelet/device-plugins";
  static constexpr char kStateFile[] = "/var/lib/kubelet/device-plugins/kubelet_internal_checkpoint";

  DeviceNode() = default;
  ~DeviceNode();
  DeviceNode(const DeviceNode&) = delete;
  DeviceNode& operator=(const DeviceNode&) = delete;

  // Starts a manager where there is none. `options` may change everything but the folder and the kubelet.
  absl::Status Start(std::string_view kubelet = "latest", NodeStart found = {},
                     deviceplugin::DeviceManagerOptions options = {});
  // Kills it: nothing that is not on the disk yet gets there.
  void Kill();

  // --- Plugins, by the name of their socket.

  fakes::ScriptedPlugin& AddPlugin(const std::string& socket, fakes::ScriptedPlugin::Options options = {});
  fakes::ScriptedPlugin& plugin(const std::string& socket) { return *plugins_.at(socket); }
  absl::Status Register(const std::string& resource, const std::string& socket);
  // Adds it, registers it, and waits for its devices.
  absl::Status RunPlugin(const std::string& resource, const std::string& socket,
                         fakes::ScriptedPlugin::Options options = {});
  // Its streams break; nobody is at the socket until it is added again.
  void KillPlugin(const std::string& socket);

  // --- Pods.

  // Makes it active and allocates its devices.
  absl::Status Admit(const Pod& pod);
  // It is not active any more.
  void Remove(const std::string& pod_uid) { pods.Remove(pod_uid); }
  // The ids that the container holds of the resource, as PodResources shows them.
  std::vector<std::string> Devices(const std::string& pod_uid, const std::string& resource,
                                   const std::string& container = "main");

  // --- What can be seen.

  deviceplugin::DeviceManager& manager() { return *manager_; }
  // Waits for what other threads bring about.
  testing::AssertionResult Await(absl::FunctionRef<bool()> holds);
  testing::AssertionResult AwaitCapacity(const std::string& resource, int64_t capacity, int64_t allocatable);
  MetricsRegistry& metrics() { return *metrics_; }

  FakeClock clock;
  RealThreads threads{clock};
  FakeFileSystem disk;
  FaultPlan faults;
  FaultyFileSystem files{disk, faults};
  SeededRandom random{1};
  FakeActivePods pods;
  AwaitingLogger log;
  ScarceThreads manager_threads{threads, log};  // what the manager starts
  PodUpdates pod_updates{threads};

 private:
  std::unique_ptr<MetricsRegistry> metrics_ = std::make_unique<MetricsRegistry>();
  mutable Mutex mu_;
  std::map<std::string, std::unique_ptr<fakes::ScriptedPlugin>> plugins_;
  // Those that nobody can reach any more; their connections may still be closing.
  std::vector<std::unique_ptr<fakes::ScriptedPlugin>> dead_;
  std::unique_ptr<deviceplugin::DeviceManager> manager_;
};

}  // namespace kubelet_cm::harness

#endif  // KUBELET_CM_TESTING_HARNESS_DEVICE_NODE_H_
