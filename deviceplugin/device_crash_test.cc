// A device manager is killed, and its power cut, at every file operation: what it has answered must be there, nothing
// is held twice, and what is freed stays free (D1, D3, D6, D7).
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "common/clock/fake_clock.h"
#include "common/filesystem/crash_explorer.h"
#include "common/log/capturing_logger.h"
#include "common/node/fake_active_pods.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "common/threads/seeded_threads.h"
#include "deviceplugin/device_manager.h"
#include "deviceplugin/endpoint/fake_plugin_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/scripted_plugin.h"
#include "testing/harness/device_node.h"

namespace kubelet_cm::deviceplugin {
namespace {

using fakes::NumberedDevices;
using fakes::ScriptedPlugin;
using harness::PodWith;
using testing::Ge;
using testing::IsEmpty;

constexpr char kResource[] = "example.com/device";

// One life of a manager on one disk, one step at a time.
class Life {
 public:
  Life(FileSystem& files, uint64_t seed) : files_(files), threads_(clock_, {.seed = seed}) {}

  // `body` has a manager, unless the disk does not let it start.
  void Run(absl::AnyInvocable<void(DeviceManager&)> body) {
    EXPECT_OK(threads_.Run([&] {
      ScriptedPlugin plugin(threads_, {.devices = NumberedDevices("dev-", 3)});
      PodUpdates updates(threads_);
      const auto connect = [&](const std::string&, PluginApi) -> absl::StatusOr<std::unique_ptr<PluginClient>> {
        return std::make_unique<FakePluginClient>(threads_, plugin);
      };
      const auto manager = DeviceManager::New({.files = files_,
                                               .random = random_,
                                               .threads = threads_,
                                               .log = log_,
                                               .metrics = metrics_,
                                               .active_pods = pods,
                                               .pod_updates = updates,
                                               .connect = connect},
                                              {.folder = "/state"}, {});
      if (manager.ok()) body(**manager);
    }));
  }
  void RunPlugin(DeviceManager& manager) {
    ASSERT_OK(manager.plugins().Register({.resource_name = kResource, .socket_path = "a.sock"}));
    while (manager.GetCapacity().allocatable[kResource] == 0) threads_.Yield();
  }

  FakeActivePods pods;

 private:
  FileSystem& files_;
  FakeClock clock_;
  SeededThreads threads_;
  SeededRandom random_{1};
  CapturingLogger log_;
  MetricsRegistry metrics_;
};

using Holdings = std::map<std::string, std::vector<std::string>>;  // by pod

Holdings HoldingsOf(DeviceManager& manager) {
  MutexLock lock(&manager.state().mu);
  Holdings holdings;
  for (const std::string& pod : manager.state().ledger.PodsWithEntries()) {
    holdings[pod] = *manager.state().ledger.IdsOfPod(pod, kResource);
  }
  return holdings;
}

class DeviceCrashTest : public testing::TestWithParam<uint64_t> {
 protected:
  CrashScenario Scenario() {
    return {.set_up = [this](FakeFileSystem&) { answered_.clear(), departed_.clear(); },
            .run = [this](FileSystem& files) { RunNode(files); },
            .check = [this](FakeFileSystem& left, const std::string& where) { CheckNode(left, where); },
            .restart = [this](FileSystem& files) { Restart(files); }};
  }

 private:
  void RunNode(FileSystem& files) {
    Life life(files, GetParam());
    life.Run([&](DeviceManager& manager) {
      life.RunPlugin(manager);
      const auto admit = [&](const std::string& pod, int64_t devices) {
        life.pods.Add(pod);
        if (manager.AllocatePod(PodWith(pod, {{kResource, devices}})).ok()) answered_[pod] = HoldingsOf(manager)[pod];
      };
      admit("a", 1);
      admit("b", 1);
      life.pods.Remove("a");
      departed_ = {"a"};
      manager.CollectLeftovers();
      admit("c", 2);
    });
  }

  // What pods hold is told to whoever asks.
  void Restart(FileSystem& files) {
    Life life(files, GetParam());
    life.Run([&](DeviceManager& manager) { answered_ = HoldingsOf(manager); });
  }

  void CheckNode(FakeFileSystem& left, const std::string& where) {
    Life life(left, GetParam());
    life.Run([&](DeviceManager& manager) {
      EXPECT_NE(manager.restore_outcome(), RecoveryOutcome::kCorrupt) << where;
      const Holdings holdings = HoldingsOf(manager);
      for (const auto& [pod, ids] : answered_) {
        if (departed_.contains(pod)) continue;
        EXPECT_EQ(holdings.contains(pod) ? holdings.at(pod) : std::vector<std::string>(), ids) << where << ": " << pod;
      }
      std::map<std::string, int> holders;
      for (const auto& [pod, ids] : holdings) {
        for (const std::string& id : ids) ++holders[id];
      }
      for (const auto& [id, count] : holders) EXPECT_EQ(count, 1) << where << ": " << id;
      life.pods.SetSourcesReady(true);
      manager.CollectLeftovers();
      EXPECT_THAT(HoldingsOf(manager), IsEmpty()) << where;
      life.RunPlugin(manager);
      life.pods.Add("d");
      EXPECT_OK(manager.AllocatePod(PodWith("d", {{kResource, 3}}))) << where;
    });
  }

  Holdings answered_;
  std::set<std::string> departed_;
};

TEST_P(DeviceCrashTest, WhatWasAnsweredSurvivesEveryKillAndEveryPowerCut) {
  ASSERT_OK_AND_ASSIGN(const CrashCoverage coverage, ExploreCrashes(Scenario()));
  EXPECT_THAT(coverage.operations, Ge(20u));
  EXPECT_THAT(coverage.images, Ge(coverage.places));
}

INSTANTIATE_TEST_SUITE_P(Seeds, DeviceCrashTest, testing::Range(uint64_t{0}, uint64_t{4}));

}  // namespace
}  // namespace kubelet_cm::deviceplugin
