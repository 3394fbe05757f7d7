// StillNode: a BenchNode on which nothing happens: what can be seen is what a test puts there. For tests of what looks
// at nodes.
#ifndef KUBELET_CM_TESTING_SCENARIOS_STILL_NODE_H_
#define KUBELET_CM_TESTING_SCENARIOS_STILL_NODE_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/clock/fake_clock.h"
#include "common/threads/real_threads.h"
#include "testing/scenarios/bench_node.h"

namespace kubelet_cm::scenarios {

class StillNode : public BenchNode {
 public:
  Threads& threads() override { return threads_; }
  absl::Duration Elapsed() const override { return elapsed; }

  absl::Status Start(const std::string&) override { return absl::OkStatus(); }
  void Kill() override {}
  bool running() const override { return true; }
  absl::Status CutPower(proto::PowerCut::Image) override { return absl::OkStatus(); }
  absl::Status Reboot() override { return absl::OkStatus(); }
  absl::Status Advance(absl::Duration by) override {
    elapsed += by;
    return absl::OkStatus();
  }
  absl::Status JumpClock(absl::Duration) override { return absl::OkStatus(); }
  absl::Status Settle() override { return absl::OkStatus(); }

  absl::Status StartPlugin(const proto::StartPlugin&) override { return absl::OkStatus(); }
  absl::Status StopPlugin(const proto::StopPlugin&) override { return absl::OkStatus(); }
  absl::Status RegisterPlugin(const std::string&) override { return absl::OkStatus(); }
  absl::Status ChangeDevices(const proto::ChangeDevices&) override { return absl::OkStatus(); }
  absl::Status FailPlugin(const proto::PluginFault&) override { return absl::OkStatus(); }
  absl::Status UnlinkSocket(const proto::UnlinkSocket&) override { return absl::OkStatus(); }
  absl::Status StartDriver(const proto::StartDriver&) override { return absl::OkStatus(); }
  absl::Status StopDriver(const std::string&) override { return absl::OkStatus(); }
  absl::Status FailDriver(const proto::DriverFault&) override { return absl::OkStatus(); }
  absl::Status SetClaim(const proto::AddClaim&, const std::set<std::string>&) override { return absl::OkStatus(); }
  absl::Status RemoveClaim(const std::string&) override { return absl::OkStatus(); }

  Reply Admit(const Pod&) override { return {}; }
  Reply Prepare(const std::string&) override { return {}; }
  Reply StartContainer(const std::string&, const std::string&) override { return {}; }
  Reply ExitContainer(const std::string&, const std::string&) override { return {}; }
  Reply RemovePod(const std::string&, bool) override { return {}; }

  absl::StatusOr<std::string> ReadFile(const std::string& path) override {
    const auto found = files.find(path);
    if (found == files.end()) return absl::NotFoundError(path + " is not there");
    return found->second;
  }
  absl::Status WriteFile(const std::string& path, const std::string& bytes) override {
    files[path] = bytes;
    return absl::OkStatus();
  }
  absl::Status RemoveFile(const std::string& path) override {
    return files.erase(path) > 0 ? absl::OkStatus() : absl::NotFoundError(path + " is not there");
  }
  absl::StatusOr<std::vector<std::string>> List(const std::string& folder) override {
    std::vector<std::string> names;
    for (const auto& [path, bytes] : files) {
      if (path.starts_with(folder + "/")) names.push_back(path.substr(folder.size() + 1));
    }
    return names;
  }
  absl::Status FailDisk(const proto::DiskFault&) override { return absl::OkStatus(); }
  absl::Status MendDisk() override { return absl::OkStatus(); }

  absl::StatusOr<Sight> Look() override { return sight; }
  absl::StatusOr<::v1::ListPodResourcesResponse> ListPodResources() override { return listed; }
  absl::StatusOr<::v1::GetPodResourcesResponse> GetPodResources(const std::string& pod) override {
    for (const ::v1::PodResources& one : listed.pod_resources()) {
      if (one.name() != pod) continue;
      ::v1::GetPodResourcesResponse response;
      *response.mutable_pod_resources() = one;
      return response;
    }
    return absl::UnknownError("pod is not there");
  }
  absl::StatusOr<::v1::AllocatableResourcesResponse> AllocatableResources() override { return allocatable; }
  std::vector<SeenCall> PluginCalls(const std::string& plugin) const override { return CallsOf(plugin_calls, plugin); }
  std::vector<SeenCall> DriverCalls(const std::string& driver) const override { return CallsOf(driver_calls, driver); }
  std::set<std::string> PreparedClaims(const std::string& driver) const override {
    const auto found = prepared.find(driver);
    return found == prepared.end() ? std::set<std::string>() : found->second;
  }
  std::map<std::string, std::string> ConnectedPlugins() const override { return plugins; }
  std::set<std::string> Drivers() const override { return {}; }
  absl::StatusOr<double> Metric(const proto::Expect::Metric& metric) override {
    const auto found = metrics.find(metric.name());
    if (found == metrics.end()) return absl::NotFoundError("there is no such series");
    return found->second;
  }
  uint64_t Writes() const override { return 0; }

  absl::Duration elapsed = absl::ZeroDuration();
  Sight sight;
  std::map<std::string, std::string> files;  // by path
  std::map<std::string, std::vector<SeenCall>> plugin_calls;
  std::map<std::string, std::vector<SeenCall>> driver_calls;
  std::map<std::string, std::set<std::string>> prepared;  // by driver
  std::map<std::string, std::string> plugins;
  std::map<std::string, double> metrics;
  ::v1::ListPodResourcesResponse listed;
  ::v1::AllocatableResourcesResponse allocatable;

 private:
  static std::vector<SeenCall> CallsOf(const std::map<std::string, std::vector<SeenCall>>& calls,
                                       const std::string& name) {
    const auto found = calls.find(name);
    return found == calls.end() ? std::vector<SeenCall>() : found->second;
  }

  FakeClock clock_;
  RealThreads threads_{clock_};
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_STILL_NODE_H_
