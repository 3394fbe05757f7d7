// ProgramNode: a BenchNode whose kubelet is the daemon's program: a process on a real folder, with plugins and drivers
// on real sockets and a fake API server, killed with SIGKILL.
//
//   ProgramNode node({});
//   ASSERT_OK(node.Start("1.30"));
//
// Time is real here and the disk is the machine's: what needs a clock that can be moved, or a disk that fails, is not
// to be had (program_limits.h). Settle waits until the daemon sees the plugins and drivers as they are.
#ifndef KUBELET_CM_TESTING_SCENARIOS_PROGRAM_NODE_H_
#define KUBELET_CM_TESTING_SCENARIOS_PROGRAM_NODE_H_

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "common/personality/personality.h"
#include "common/threads/mutex.h"
#include "testing/fakes/fake_api_server.h"
#include "testing/harness/process_node.h"
#include "testing/scenarios/bench_node.h"
#include "testing/scenarios/foreign_programs.h"
#include "testing/scenarios/output_lines.h"
#include "testing/scenarios/program_death.h"
#include "testing/scenarios/program_drivers.h"
#include "testing/scenarios/program_plugins.h"

namespace kubelet_cm::scenarios {

class ProgramNode : public BenchNode {
 public:
  // `programs`: where those are that the scenario has in place of fakes.
  explicit ProgramNode(const proto::Node& machine, ForeignPrograms::Paths programs = {});
  ~ProgramNode() override;

  Threads& threads() override { return process_.machine.threads; }
  absl::Duration Elapsed() const override;

  absl::Status Start(const std::string& version) override;
  void Kill() override;
  bool running() const override { return running_; }
  absl::Status CutPower(proto::PowerCut::Image) override;
  absl::Status Reboot() override;
  absl::Status Advance(absl::Duration) override;
  absl::Status JumpClock(absl::Duration) override { return Advance({}); }
  absl::Status Settle() override;
  bool is_still_once_settled() const override { return false; }
  bool Await(absl::FunctionRef<bool()> holds) override;
  absl::Status LookForEnds() override;

  absl::Status StartPlugin(const proto::StartPlugin& plugin) override;
  absl::Status StopPlugin(const proto::StopPlugin& plugin) override;
  absl::Status RegisterPlugin(const std::string& plugin) override;
  absl::Status ChangeDevices(const proto::ChangeDevices& change) override { return plugins_.Change(change); }
  absl::Status FailPlugin(const proto::PluginFault& fault) override { return plugins_.Fail(fault); }
  absl::Status UnlinkSocket(const proto::UnlinkSocket& unlink) override;
  absl::Status StartDriver(const proto::StartDriver& driver) override;
  absl::Status StopDriver(const std::string& driver) override;
  absl::Status FailDriver(const proto::DriverFault& fault) override { return drivers_.Fail(fault); }
  absl::Status SetDriverHealth(const proto::DriverHealth& says) override { return drivers_.SetHealth(says); }
  absl::Status PublishSlice(const std::string& driver) override;
  absl::Status ListenAt(const proto::DriverSocket& socket) override { return drivers_.Listen(socket); }
  absl::Status SetClaim(const proto::AddClaim& claim, const std::set<std::string>& reserved_for) override;
  absl::Status RemoveClaim(const std::string& claim) override;

  void AnnounceCall() override;
  Reply Admit(const Pod& pod) override;
  Reply Prepare(const std::string& pod) override;
  Reply StartContainer(const std::string& pod, const std::string& container) override;
  Reply ExitContainer(const std::string& pod, const std::string& container) override;
  Reply RemovePod(const std::string& pod, bool force) override;

  absl::StatusOr<std::string> ReadFile(const std::string& path) override;
  absl::Status WriteFile(const std::string& path, const std::string& bytes) override;
  absl::Status RemoveFile(const std::string& path) override;
  absl::StatusOr<std::vector<std::string>> List(const std::string& folder) override;
  absl::Status FailDisk(const proto::DiskFault&) override;
  absl::Status MendDisk() override { return absl::OkStatus(); }

  absl::StatusOr<Sight> Look() override;
  absl::StatusOr<::v1::ListPodResourcesResponse> ListPodResources() override;
  absl::StatusOr<::v1::GetPodResourcesResponse> GetPodResources(const std::string& pod) override;
  absl::StatusOr<::v1::AllocatableResourcesResponse> AllocatableResources() override;
  std::vector<SeenCall> PluginCalls(const std::string& plugin) const override { return plugins_.Calls(plugin); }
  std::vector<SeenCall> DriverCalls(const std::string& driver) const override { return drivers_.Calls(driver); }
  std::set<std::string> PreparedClaims(const std::string& driver) const override {
    return drivers_.PreparedClaims(driver);
  }
  std::map<std::string, std::string> ConnectedPlugins() const override;
  std::set<std::string> Drivers() const override;
  absl::StatusOr<double> Metric(const proto::Expect::Metric&) override;
  int32_t SliceCount(const std::string& driver) const override;
  int32_t ConnectionCount(const std::string& driver) const override { return drivers_.ConnectionCount(driver); }
  absl::StatusOr<int> RefusedOfLists(int calls) override;
  uint64_t Writes() const override { return 0; }
  // Daemons that start from now on log up to level `verbosity`, and their lines are kept.
  void Listen(int verbosity) {
    listens_ = true;
    process_.flags.push_back(absl::StrCat("-v=", verbosity));
  }
  // With what programs write.
  std::vector<std::string> TakeLog() override;
  absl::Status KillAt(const proto::DiesAt& place) override;
  bool TakeDeath() override;
  bool dead() const override { return death_.struck(); }

 private:
  class InFlight;

  Reply Call(absl::FunctionRef<Reply(const harness::ControlClient&)> call);
  // Below the kubelet's folder, wherever that is here.
  std::string Place(const std::string& path) const;
  int HeldCount() const { return plugins_.HeldCount() + drivers_.HeldCount(); }
  bool AwaitFor(absl::Duration limit, absl::FunctionRef<bool()> holds);
  // Nothing, or what the daemon does not see as it is. An error will not go away.
  absl::StatusOr<std::string> Unseen();

  harness::ProcessNode process_;
  const MonotonicTime began_;
  const Personality* kubelet_ = &LatestPersonality();
  std::unique_ptr<fakes::FakeApiServer> api_server_;
  ProgramDeath death_;
  ProgramPlugins plugins_;
  ProgramDrivers drivers_;
  ForeignPrograms foreign_;
  bool running_ = false;
  bool listens_ = false;
  uint64_t taken_ = 0;  // of the daemon's output
  OutputLines lines_;
  mutable Mutex mu_;
  const std::unique_ptr<Condition> call_ended_;
  int announced_ ABSL_GUARDED_BY(mu_) = 0;
  int in_flight_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_PROGRAM_NODE_H_
