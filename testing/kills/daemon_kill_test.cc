// The daemon's program under load, killed a hundred times: callers admit pods, prepare their claims and remove them
// over the control socket, plugins and a driver run on; a SIGKILL comes at a moment that a seed has drawn: at the n-th
// answer, while a plugin or the driver is asked, or during a start. After each, everything that was answered is there,
// nothing is held twice, no plugin is asked again for what it gave (D1, D3, D4), and plugins and driver are back by
// themselves; what was prepared still is, and was not prepared again (C2, C3), and what nobody has is not (C1). In the
// end all goes, and nothing is left behind (D7).
#include <algorithm>
#include <atomic>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/random/seeded_random.h"
#include "common/status/status_macros.h"
#include "common/status/status_matchers.h"
#include "common/threads/mutex.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_device_plugin.h"
#include "testing/fakes/fake_dra_driver.h"
#include "testing/harness/process_node.h"
#include "testing/kills/claim_oracle.h"
#include "testing/kills/pod_oracle.h"
#include "testing/kills/pod_plan.h"

namespace kubelet_cm::kills {
namespace {

using fakes::DriverMethod;
using fakes::FakeDevicePlugin;
using fakes::FakeDraDriver;
using fakes::PluginMethod;
using harness::ProcessNode;
using ::testing::IsEmpty;

namespace v1 = ::kubeletcm::v1;

constexpr int kKills = 10;  // of each seed
constexpr int kCallers = 4;
constexpr int kDevices = 12;     // of each resource: not always enough
constexpr size_t kMostHeld = 3;  // by a caller

PodOracle::Devices DevicesOf(const v1::PodView& pod) {
  PodOracle::Devices devices;
  for (const auto& container : pod.containers()) {
    for (const auto& device : container.devices())
      devices.insert(absl::StrCat(device.resource(), "/", device.device_id()));
  }
  return devices;
}

// Kills the daemon when it has been told of progress a number of times, on the thread that told it last: in the middle
// of whatever the others do.
class KillSwitch {
 public:
  explicit KillSwitch(ProcessNode& node) : node_(node) {}

  void Arm(int progress) { left_ = progress; }
  void Progress() {
    if (left_.fetch_sub(1) == 1) node_.KillNow();
  }

 private:
  ProcessNode& node_;
  std::atomic<int> left_ = 0;
};

struct Tally {
  std::atomic<int> admitted = 0;
  std::atomic<int> refused = 0;
  std::atomic<int> prepared = 0;
  std::atomic<int> removed = 0;
  size_t cut = 0;
  size_t had_happened = 0;
  absl::Duration slowest_start;
};

class DaemonKillTest : public ::testing::TestWithParam<int> {
 protected:
  DaemonKillTest() {
    for (int caller = 0; caller < kCallers; ++caller) {
      node_.WriteFile(absl::StrCat("claims/claim-", caller, ".yaml"), PodPlan{.caller = caller}.ClaimManifest());
    }
    node_.flags = {"--claim-manifest-path", node_.PathOf("claims")};
  }

  void SetUp() override {
    ASSERT_TRUE(node_.Start());
    plain_ = RunPlugin(kPlain, "plain.sock");
    rare_ = RunPlugin(kRare, "rare.sock");
    driver_ = std::make_unique<FakeDraDriver>(
        FakeDraDriver::Dependencies{node_.machine.threads, node_.machine.files},
        FakeDraDriver::Options{.folder = node_.paths().plugins, .registration_folder = node_.paths().plugins_registry});
    ASSERT_OK(driver_->Start());
  }

  std::unique_ptr<FakeDevicePlugin> RunPlugin(const std::string& resource, const std::string& socket) {
    const auto answer = [this, resource](absl::Span<const std::string> ids) {
      kill_.Progress();
      v1beta1::ContainerAllocateResponse response;
      (*response.mutable_envs())[resource.substr(resource.find('/') + 1)] = absl::StrJoin(ids, ",");
      return response;
    };
    auto plugin = std::make_unique<FakeDevicePlugin>(
        FakeDevicePlugin::Dependencies{node_.machine.threads, node_.machine.files},
        FakeDevicePlugin::Options{.resource_name = resource,
                                  .folder = node_.paths().device_plugins,
                                  .socket_name = socket,
                                  .plugin = {.devices = fakes::NumberedDevices("dev-", kDevices), .allocate = answer}});
    EXPECT_OK(plugin->Start());
    plugin->Follow(node_.paths().registration_socket, absl::Milliseconds(10));
    return plugin;
  }

  // Plugins and driver have come back without being told.
  void AwaitEverybody() {
    ASSERT_TRUE(node_.control().AwaitAllocatable(kPlain, kDevices));
    ASSERT_TRUE(node_.control().AwaitAllocatable(kRare, kDevices));
    ASSERT_TRUE(node_.control().Await([&] {
      const auto plugins = node_.control().Plugins();
      if (!plugins.ok()) return false;
      for (const auto& plugin : plugins->plugins()) {
        if (plugin.name() == driver_->name() && plugin.primary()) return true;
      }
      return false;
    })) << node_.output();
  }

  int Allocations() {
    return plain_->script().CallCount(PluginMethod::kAllocate) + rare_->script().CallCount(PluginMethod::kAllocate);
  }
  std::vector<PodPlan> PlansOf(int caller) {
    std::vector<PodPlan> held;
    for (const std::string& uid : oracle_.Held()) {
      const PodPlan& plan = plans_.at(uid);
      if (plan.caller == caller) held.push_back(plan);
    }
    return held;
  }

  void RunLoad();
  void Call(int caller, SeededRandom& random);
  absl::Status Admit(const PodPlan& plan);
  absl::Status Prepare(const PodPlan& plan);
  absl::Status Remove(const PodPlan& plan);
  void KillDuringStart();
  void CheckAfterStart();
  void AskAgain(const std::vector<std::string>& admitted_unanswered);
  void CheckContainers();
  int PreparesOf(const std::string& claim);
  ClaimOracle::Claims SeenClaims();
  void RemoveAll();
  void Report(const std::string& what) const;

  ProcessNode node_;
  KillSwitch kill_{node_};
  SeededRandom random_{static_cast<uint64_t>(GetParam())};
  PodOracle oracle_;
  ClaimOracle claims_;
  Tally tally_;
  Mutex mu_;
  std::map<std::string, PodPlan> plans_;  // changed under mu_ while callers run
  std::vector<int> next_number_ = std::vector<int>(kCallers);
  std::unique_ptr<FakeDevicePlugin> plain_;
  std::unique_ptr<FakeDevicePlugin> rare_;
  std::unique_ptr<FakeDraDriver> driver_;
};

absl::Status DaemonKillTest::Admit(const PodPlan& plan) {
  oracle_.Admitting(plan.Uid(), static_cast<size_t>(plan.plain + plan.rare));
  ASSIGN_OR_RETURN(const auto answer, node_.control().Admit(plan.Manifest()));
  if (!answer.admitted()) {
    oracle_.Refused(plan.Uid());
    ++tally_.refused;
    return absl::OkStatus();
  }
  EXPECT_TRUE(oracle_.Admitted(plan.Uid(), DevicesOf(answer.pod())));
  ++tally_.admitted;
  kill_.Progress();
  return plan.claim ? Prepare(plan) : absl::OkStatus();
}

absl::Status DaemonKillTest::Prepare(const PodPlan& plan) {
  ASSIGN_OR_RETURN(const auto prepared, node_.control().Prepare(plan.Uid()));
  EXPECT_TRUE(prepared.prepared()) << prepared.message();
  EXPECT_TRUE(claims_.Prepared(plan.Claim(), plan.Uid(), PreparesOf(plan.Claim())));
  ++tally_.prepared;
  kill_.Progress();
  return absl::OkStatus();
}

absl::Status DaemonKillTest::Remove(const PodPlan& plan) {
  claims_.Removing(plan.Claim(), plan.Uid());
  oracle_.Removing(plan.Uid());
  ASSIGN_OR_RETURN(const auto answer, node_.control().Remove(plan.Uid()));
  EXPECT_TRUE(answer.removed()) << answer.message();
  oracle_.Removed(plan.Uid());
  ++tally_.removed;
  kill_.Progress();
  return absl::OkStatus();
}

// Until the daemon is gone.
void DaemonKillTest::Call(int caller, SeededRandom& random) {
  absl::Status answered;
  while (answered.ok()) {
    PodPlan plan;
    bool admit = true;
    {
      MutexLock lock(&mu_);
      const std::vector<PodPlan> held = PlansOf(caller);
      admit = held.empty() || (held.size() < kMostHeld && random.Below(2) == 0);
      if (admit) {
        plan = {.caller = caller,
                .number = next_number_[caller]++,
                .plain = static_cast<int>(random.Between(1, 2)),
                .rare = static_cast<int>(random.Below(2))};
        plan.claim = plan.number < kClaimUsers && random.Below(4) == 0;
        plans_[plan.Uid()] = plan;
      } else {
        plan = held[random.Below(held.size())];
      }
    }
    answered = admit ? Admit(plan) : Remove(plan);
  }
  EXPECT_EQ(answered.code(), absl::StatusCode::kUnavailable) << answered;
}

void DaemonKillTest::RunLoad() {
  kill_.Arm(static_cast<int>(random_.Between(1, 60)));
  std::vector<std::unique_ptr<Thread>> callers;
  for (int caller = 0; caller < kCallers; ++caller) {
    const uint64_t seed = random_.Uint64();
    callers.push_back(node_.machine.threads.Start("caller", [this, caller, seed] {
      SeededRandom random(seed);
      Call(caller, random);
    }));
  }
}

// At once; when a plugin is asked for its devices; or when the daemon is ready.
void DaemonKillTest::KillDuringStart() {
  const int listed = plain_->script().CallCount(PluginMethod::kListAndWatch);
  ASSERT_TRUE(node_.Launch());
  switch (random_.Below(3)) {
    case 0:
      break;
    case 1:
      ASSERT_OK(plain_->script().WaitForCall(PluginMethod::kListAndWatch, listed + 1)) << node_.output();
      break;
    default:
      ASSERT_TRUE(node_.AwaitReady());
  }
  ASSERT_TRUE(node_.Kill());
}

void DaemonKillTest::CheckAfterStart() {
  const int before = Allocations();
  ASSERT_OK_AND_ASSIGN(const auto answer, node_.control().Pods());
  PodOracle::Pods listed;
  for (const auto& pod : answer.pods()) {
    if (pod.state() == v1::POD_STATE_REFUSED) continue;
    listed[pod.pod().uid()] = {DevicesOf(pod), pod.state() == v1::POD_STATE_TERMINATING};
  }
  tally_.cut += oracle_.InFlight();
  ASSERT_TRUE(oracle_.Check(listed)) << node_.output();
  const std::vector<std::string> admitted_unanswered = oracle_.Adopt(listed);
  tally_.had_happened += admitted_unanswered.size();
  ASSERT_TRUE(claims_.Check(SeenClaims())) << node_.output();
  AwaitEverybody();
  CheckContainers();
  EXPECT_EQ(Allocations(), before) << "a plugin was asked again";
  ASSERT_NO_FATAL_FAILURE(AskAgain(admitted_unanswered));
  ASSERT_TRUE(claims_.CheckAll(SeenClaims())) << node_.output();
}

// Who got no answer asks again, and is told what is there; what was on its way out goes.
void DaemonKillTest::AskAgain(const std::vector<std::string>& admitted_unanswered) {
  for (const std::string& uid : oracle_.Leaving()) ASSERT_OK(Remove(plans_.at(uid)));
  for (const std::string& uid : admitted_unanswered) {
    ASSERT_OK_AND_ASSIGN(const auto again, node_.control().Admit(plans_.at(uid).Manifest()));
    ASSERT_TRUE(again.admitted()) << again.message();
    EXPECT_TRUE(oracle_.Admitted(uid, DevicesOf(again.pod())));
  }
  for (const std::string& uid : oracle_.Held()) {
    const PodPlan& plan = plans_.at(uid);
    if (!plan.claim || claims_.IsPrepared(plan.Claim(), uid)) continue;
    ASSERT_OK(Prepare(plan));
  }
}

int DaemonKillTest::PreparesOf(const std::string& claim) {
  const auto calls = driver_->script().Calls();
  return static_cast<int>(std::ranges::count_if(calls, [&](const fakes::DriverCall& call) {
    return call.method == DriverMethod::kPrepare && std::ranges::count(call.claim_uids, claim) > 0;
  }));
}

// What the daemon and the driver have, and how often the driver was asked.
ClaimOracle::Claims DaemonKillTest::SeenClaims() {
  ClaimOracle::Claims seen;
  const auto listed = node_.control().Claims();
  EXPECT_OK(listed);
  for (const auto& claim : listed.ok() ? listed->claims() : v1::ListClaimsResponse().claims()) {
    ClaimOracle::Seen& now = seen[claim.uid()];
    now.listed = claim.state() == "Prepared";
    for (const auto& pod : claim.pods()) now.pods.insert(pod.uid());
  }
  for (const std::string& claim : driver_->PreparedClaims()) seen[claim].at_driver = true;
  for (auto& [claim, now] : seen) now.prepares = PreparesOf(claim);
  return seen;
}

// A container that starts again gets what the plugin said when it was asked.
void DaemonKillTest::CheckContainers() {
  for (const std::string& uid : oracle_.Held()) {
    const PodOracle::Devices devices = oracle_.DevicesOf(uid);
    if (plans_.at(uid).claim || devices.empty()) continue;
    ASSERT_OK_AND_ASSIGN(const auto options, node_.control().ContainerOptions(uid, "main"));
    PodOracle::Devices told;
    for (const auto& [resource, ids] : options.envs()) {
      for (const auto id : absl::StrSplit(ids, ',')) told.insert(absl::StrCat("example.com/", resource, "/", id));
    }
    EXPECT_EQ(told, devices) << uid;
  }
}

void DaemonKillTest::RemoveAll() {
  kill_.Arm(0);
  for (const std::string& uid : oracle_.Held()) ASSERT_OK(Remove(plans_.at(uid)));
  EXPECT_THAT(driver_->PreparedClaims(), IsEmpty());
  ASSERT_TRUE(node_.Kill());
  ASSERT_TRUE(node_.Start());
  EXPECT_THAT(node_.control().Pods()->pods(), IsEmpty());
  AwaitEverybody();
  ASSERT_OK_AND_ASSIGN(const auto resources, node_.control().Resources());
  for (const auto& resource : resources.resources()) EXPECT_EQ(resource.allocated(), 0) << resource.ShortDebugString();
}

void DaemonKillTest::Report(const std::string& what) const {
  std::cout << "seed " << GetParam() << ": " << what << ": " << tally_.admitted << " admitted, " << tally_.refused
            << " refused, " << tally_.prepared << " prepared, " << tally_.removed << " removed; " << tally_.cut
            << " calls cut, of which " << tally_.had_happened << " admissions had taken effect; slowest start "
            << absl::FormatDuration(absl::Trunc(tally_.slowest_start, absl::Milliseconds(1))) << "\n";
}

TEST_P(DaemonKillTest, WhatWasAnsweredIsThereAfterEverySigkill) {
  ASSERT_NO_FATAL_FAILURE(AwaitEverybody());
  int kills = 0;
  while (kills < kKills && !HasFailure()) {
    RunLoad();
    ASSERT_TRUE(node_.AwaitExit());
    ++kills;
    if (kills < kKills && random_.Below(4) == 0) {
      ASSERT_NO_FATAL_FAILURE(KillDuringStart());
      ++kills;
    }
    ASSERT_TRUE(node_.Start());
    tally_.slowest_start = std::max(tally_.slowest_start, node_.start_took());
    ASSERT_NO_FATAL_FAILURE(CheckAfterStart()) << "after kill " << kills;
  }
  ASSERT_NO_FATAL_FAILURE(RemoveAll());
  EXPECT_GT(tally_.admitted, kills);
  Report(absl::StrCat(kills, " kills"));
}

INSTANTIATE_TEST_SUITE_P(Seeds, DaemonKillTest, ::testing::Range(0, 10));

}  // namespace
}  // namespace kubelet_cm::kills
