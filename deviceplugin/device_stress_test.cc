// Everything at once, over real sockets: pods come and go, plugins register, die and come back, health flaps, and
// others look on. What must always hold (D1, D2, D7) is checked throughout; ThreadSanitizer looks for the rest.
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "deviceplugin/device_stack_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"

namespace kubelet_cm::deviceplugin {
namespace {

using fakes::FakeDevicePlugin;
using fakes::NumberedDevices;
using harness::PodWith;

#ifdef __SANITIZE_THREAD__
constexpr absl::Duration kHowLong = absl::Seconds(20);
#else
constexpr absl::Duration kHowLong = absl::Seconds(3);
#endif

constexpr char kResource[] = "example.com/fake";
constexpr int kDevices = 8;
constexpr int kAdmitters = 4;

class DeviceStressTest : public DeviceStackFixture {
 protected:
  DeviceStressTest() {
    EXPECT_OK(Start());
    for (const char* name : {"a.sock", "b.sock"}) {
      plugins_.push_back(NewPlugin({.socket_name = name, .plugin = {.devices = NumberedDevices("dev-", kDevices, 2)}}));
    }
    end_ = machine_.clock.MonotonicNow() + kHowLong;
  }

  bool Going() const { return machine_.clock.MonotonicNow() < end_; }

  void AdmitAndRemove(int number) {
    SeededRandom random(static_cast<uint64_t>(number));
    for (int round = 0; Going(); ++round) {
      const std::string uid = absl::StrCat("pod-", number, "-", round);
      const int64_t wanted = random.Between(1, 3);
      pods_.Add(uid);
      if (stack_->manager().AllocatePod(PodWith(uid, {{kResource, wanted}})).ok()) {
        const auto held = stack_->manager().ContainerDevices(uid, "main");
        // D2: never without the devices that it asked for.
        const auto found = held.find(kResource);
        EXPECT_EQ(found == held.end() ? 0u : found->second.size(), static_cast<size_t>(wanted)) << uid;
        ++admitted_;
      }
      pods_.Remove(uid);
    }
  }

  void KillAndRegister(FakeDevicePlugin& plugin) {
    while (Going()) {
      if (plugin.Restart().ok()) {
        registered_ += plugin.Register(KubeletSocket()).ok();
        registered_ += plugin.Register(KubeletSocket()).ok();
      }
      plugin.Kill();
    }
  }

  void FlapHealth(FakeDevicePlugin& plugin) {
    SeededRandom random(7);
    while (Going()) {
      const std::string id = absl::StrCat("dev-", random.Below(kDevices));
      EXPECT_OK(plugin.SetHealth(id, random.Below(3) == 0 ? "Unhealthy" : "Healthy"));
      machine_.threads.Yield();
    }
  }

  void LookOn() {
    while (Going()) {
      DeviceManager& manager = stack_->manager();
      const DeviceInventory::Capacity capacity = manager.GetCapacity();
      for (const auto& [resource, healthy] : capacity.allocatable) EXPECT_LE(healthy, kDevices);
      manager.AllocatableDevices();
      const Pod pod = PodWith("looker", {{kResource, 1}});
      manager.hints().ContainerHints(pod, pod.containers[0]);
      machine_.pod_updates.Take();
      CheckHolders();
    }
  }

  // D1: nobody holds what another one holds.
  void CheckHolders() {
    MutexLock lock(&stack_->manager().state().mu);
    std::map<std::string, std::string> holders;
    for (const DeviceEntry& entry : stack_->manager().state().ledger.Entries()) {
      for (const std::string_view id : FlatDevices(entry)) {
        const auto [place, is_new] = holders.emplace(id, entry.pod_uid);
        EXPECT_TRUE(is_new || place->second == entry.pod_uid) << id;
      }
    }
  }

  std::vector<std::unique_ptr<FakeDevicePlugin>> plugins_;
  MonotonicTime end_;
  std::atomic<int> admitted_ = 0;
  std::atomic<int> registered_ = 0;
};

TEST_F(DeviceStressTest, NothingIsHeldTwiceAndInTheEndEverythingIsFree) {
  ASSERT_OK(plugins_[0]->Start());
  ASSERT_OK(plugins_[0]->Register(KubeletSocket()));
  {
    std::vector<std::unique_ptr<Thread>> all;
    for (int number = 0; number < kAdmitters; ++number) {
      all.push_back(machine_.threads.Start("admitter", [this, number] { AdmitAndRemove(number); }));
    }
    all.push_back(machine_.threads.Start("plugin", [this] { KillAndRegister(*plugins_[1]); }));
    all.push_back(machine_.threads.Start("health", [this] { FlapHealth(*plugins_[0]); }));
    all.push_back(machine_.threads.Start("looker", [this] { LookOn(); }));
  }
  EXPECT_GT(admitted_, 0);
  EXPECT_GT(registered_, 0);
  stack_->manager().CollectLeftovers();
  {
    MutexLock lock(&stack_->manager().state().mu);
    EXPECT_EQ(stack_->manager().state().ledger.TakenCount(kResource), 0);  // D7
    EXPECT_EQ(stack_->manager().state().ledger.reservation_count(), 0u);
  }
  EXPECT_OK(stack_->manager().Flush());
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
