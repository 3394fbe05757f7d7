// MemoryNode: a BenchNode in this process: real managers on a modelled disk, fakes in memory, a clock that stands still
// until it is advanced, and threads that run one at a time in an order drawn from a seed. So a scenario is the same in
// every run, and can be killed at the n-th operation.
//
//   FakeClock clock;
//   SeededThreads threads(clock, {.seed = 1});
//   ASSERT_OK(threads.Run([&] {
//     MemoryNode node(threads, clock, {});
//     ASSERT_OK(node.Start("1.19"));
//     ...
//   }));
#ifndef KUBELET_CM_TESTING_SCENARIOS_MEMORY_NODE_H_
#define KUBELET_CM_TESTING_SCENARIOS_MEMORY_NODE_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "common/clock/fake_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/random/seeded_random.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "testing/fakes/fake_claim_source.h"
#include "testing/fakes/memory_drivers.h"
#include "testing/scenarios/bench_node.h"
#include "testing/scenarios/cdi_folder.h"
#include "testing/scenarios/deaths.h"
#include "testing/scenarios/driver_presence.h"
#include "testing/scenarios/memory_life.h"
#include "testing/scenarios/memory_plugins.h"
#include "testing/scenarios/story_log.h"

namespace kubelet_cm::scenarios {

class MemoryNode : public BenchNode {
 public:
  // The threads are of the clock. Both outlive the node.
  MemoryNode(Threads& threads, FakeClock& clock, const proto::Node& machine);
  ~MemoryNode() override;

  Threads& threads() override { return threads_; }
  absl::Duration Elapsed() const override { return clock_.MonotonicNow() - began_; }

  absl::Status Start(const std::string& version) override;
  void Kill() override;
  bool running() const override { return life_ != nullptr; }
  absl::Status CutPower(proto::PowerCut::Image image) override;
  absl::Status Reboot() override;
  absl::Status Advance(absl::Duration by) override;
  absl::Status JumpClock(absl::Duration by) override;
  absl::Status Settle() override;

  absl::Status StartPlugin(const proto::StartPlugin& plugin) override;
  absl::Status StopPlugin(const proto::StopPlugin& plugin) override { return plugins_.Stop(plugin); }
  absl::Status RegisterPlugin(const std::string& plugin) override;
  absl::Status ChangeDevices(const proto::ChangeDevices& change) override { return plugins_.Change(change); }
  absl::Status FailPlugin(const proto::PluginFault& fault) override { return plugins_.Fail(fault); }
  absl::Status UnlinkSocket(const proto::UnlinkSocket& unlink) override;
  absl::Status StartDriver(const proto::StartDriver& driver) override;
  absl::Status StopDriver(const std::string& driver) override { return presence_.Stop(driver); }
  absl::Status FailDriver(const proto::DriverFault& fault) override;
  absl::Status SetClaim(const proto::AddClaim& claim, const std::set<std::string>& reserved_for) override;
  absl::Status RemoveClaim(const std::string& claim) override;

  Reply Admit(const Pod& pod) override;
  Reply Prepare(const std::string& pod) override;
  Reply StartContainer(const std::string& pod, const std::string& container) override;
  Reply ExitContainer(const std::string& pod, const std::string& container) override;
  Reply RemovePod(const std::string& pod, bool force) override;

  absl::StatusOr<std::string> ReadFile(const std::string& path) override;
  absl::Status WriteFile(const std::string& path, const std::string& bytes) override;
  absl::Status RemoveFile(const std::string& path) override;
  absl::StatusOr<std::vector<std::string>> List(const std::string& folder) override {
    return FilesOf(folder).List(folder);
  }
  absl::Status FailDisk(const proto::DiskFault& fault) override;
  absl::Status MendDisk() override;

  absl::StatusOr<Sight> Look() override;
  absl::StatusOr<::v1::ListPodResourcesResponse> ListPodResources() override;
  absl::StatusOr<::v1::GetPodResourcesResponse> GetPodResources(const std::string& pod) override;
  absl::StatusOr<::v1::AllocatableResourcesResponse> AllocatableResources() override;
  std::vector<SeenCall> PluginCalls(const std::string& plugin) const override { return plugins_.Calls(plugin); }
  std::vector<SeenCall> DriverCalls(const std::string& driver) const override;
  std::set<std::string> PreparedClaims(const std::string& driver) const override;
  std::map<std::string, std::string> ConnectedPlugins() const override { return plugins_.Connected(); }
  std::set<std::string> Drivers() const override { return presence_.Up(); }
  absl::StatusOr<double> Metric(const proto::Expect::Metric& metric) override;
  uint64_t Writes() const override;
  // From now on the kubelet's lines up to level `verbosity` are kept; negative: none.
  void Listen(int verbosity) { log_.Listen(verbosity); }
  std::vector<std::string> TakeLog() override { return log_.Take(); }
  absl::Status KillAt(const proto::DiesAt& place) override;
  bool TakeDeath() override;
  bool dead() const override { return deaths_.dead(); }

  // --- For trials of kubelets that are told of their pods again, as all are when they start. (The daemon remembers its
  // pods, and what it has admitted it does not ask itself again.)

  // As Start, and the kubelet does not know yet whether it has been told of all pods.
  absl::Status StartUntold(const std::string& version);
  void KnowAllPods();
  // What the kubelet that runs says to a pod that it had before.
  Reply AdmitAnew(const Pod& pod);

  // --- For sweeps.

  // What the kubelet did so far, call edges included, and what kills it at one of these.
  FaultPlan& crash() { return deaths_.swept(); }
  // What the kubelet did to its disk, without call edges, and what fails of it.
  FaultPlan& faults() { return faults_; }
  // After the planned crash and a Kill: it can be started again, and dies no more.
  void Recover();
  // The power is cut now, and this is what is left of the disk.
  void CutPowerTo(std::unique_ptr<FakeFileSystem> left);
  const FakeFileSystem& disk() const { return *disk_; }

 private:
  class InFlight;

  absl::Status StartKubelet(const std::string& version, bool knows_all_pods);
  Reply Call(absl::FunctionRef<Reply(ContainerManager&)> call);
  void PowerOff();
  FileSystem& FilesOf(const std::string& path);

  Threads& threads_;
  FakeClock& clock_;
  const proto::Node machine_;
  const MonotonicTime began_;
  std::unique_ptr<FakeFileSystem> disk_ = std::make_unique<FakeFileSystem>();
  std::vector<std::unique_ptr<FakeFileSystem>> old_disks_;
  Deaths deaths_;
  FaultPlan faults_;
  SeededRandom random_{1};
  StoryLog log_{[this] { return killed_ || deaths_.dead(); }};
  FakeFileSystem tmpfs_;  // what is below kTmpfs
  CdiFolder cdi_{tmpfs_, kCdiFolder};
  fakes::FakeClaimSource claims_;
  MemoryPlugins plugins_;
  fakes::MemoryDrivers drivers_;
  DriverPresence presence_{drivers_, cdi_};
  std::string boot_id_ = "boot";
  bool killed_ = false;                 // the kubelet is no more, though its threads may not know yet
  bool registration_unlinked_ = false;  // the socket of the kubelet that runs
  mutable Mutex mu_;
  const std::unique_ptr<Condition> call_ended_;
  int in_flight_ ABSL_GUARDED_BY(mu_) = 0;
  std::unique_ptr<MemoryLife> life_;
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_MEMORY_NODE_H_
