// DraNode: a node with a DRA manager, for tests: a disk, drivers, claims, pods and a clock, all in this process, and a
// manager that can be killed and started again as any kubelet.
//
//   DraNode node;
//   node.drivers.Add("gpu");
//   ASSERT_OK(node.Start());
//   const Pod pod = node.AddPod("pod", {node.AddClaim("claim", {"gpu"})});
//   ASSERT_OK(node.manager().PrepareResources(pod));
//   node.Kill();
//   ASSERT_OK(node.Start("1.36"));
//
// Drivers are reached in memory and live on when the manager dies. The clock stands still until it is advanced. One
// thread steers the node; prepares and the like may come from many.
#ifndef KUBELET_CM_TESTING_HARNESS_DRA_NODE_H_
#define KUBELET_CM_TESTING_HARNESS_DRA_NODE_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

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
#include "common/random/seeded_random.h"
#include "common/threads/real_threads.h"
#include "dra/dra_manager.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_claim_source.h"
#include "testing/fakes/memory_drivers.h"

namespace kubelet_cm::harness {

// A claim "default/<name>" with uid "<name>-uid" that has a device of each of these drivers; of nobody yet.
dra::ClaimObject ClaimOf(const std::string& name, const std::vector<std::string>& drivers);
// A pod "default/pod-<uid>" with one app container "main" that uses these claims, each under its own name.
Pod PodUsing(const std::string& uid, const std::vector<std::string>& claims);

class DraNode {
 public:
  static constexpr char kFolder[] = "/var/lib/kubelet";
  static constexpr char kStateFile[] = "/var/lib/kubelet/dra_manager_state";

  DraNode();
  ~DraNode();
  DraNode(const DraNode&) = delete;
  DraNode& operator=(const DraNode&) = delete;

  // Starts a manager where there is none. `options` may change everything but the folder and the kubelet.
  absl::Status Start(std::string_view kubelet = "latest", dra::DraManagerOptions options = {},
                     const NodeStart& found = {});
  // The moment of the kill: nothing gets to the disk or to a driver any more, and calls in flight end. What is left is
  // to wait for the threads that are in the manager; then Kill() takes it away.
  void Cut();
  void Kill();

  // Makes the claim, and returns its name.
  std::string AddClaim(const std::string& name, const std::vector<std::string>& driver_names);
  // Makes the pod active, and reserves its claims for it.
  Pod AddPod(const std::string& uid, const std::vector<std::string>& claim_names);

  // --- What can be seen.

  dra::DraManager& manager() { return *manager_; }
  MetricsRegistry& metrics() { return *metrics_; }
  // Waits for what other threads bring about.
  testing::AssertionResult Await(absl::FunctionRef<bool()> holds);
  std::string StateFile();
  // Cuts its end off, while no manager is running.
  absl::Status DamageStateFile();

  FakeClock clock;
  RealThreads threads{clock};
  FakeFileSystem disk;
  FaultPlan faults;
  SeededRandom random{1};
  FakeActivePods pods;
  AwaitingLogger log;
  fakes::FakeClaimSource claims;
  fakes::MemoryDrivers drivers{threads};

 private:
  // Of one life of the manager, so that a dead one cannot write.
  std::unique_ptr<FaultPlan> death_;
  std::unique_ptr<FaultyFileSystem> planned_;
  std::unique_ptr<FaultyFileSystem> files_;
  std::unique_ptr<MetricsRegistry> metrics_ = std::make_unique<MetricsRegistry>();
  std::unique_ptr<dra::DraManager> manager_;
};

}  // namespace kubelet_cm::harness

#endif  // KUBELET_CM_TESTING_HARNESS_DRA_NODE_H_
