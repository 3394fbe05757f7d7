// Everything at once, over real sockets and a real disk: pods come and go and are admitted again, plugins register, die
// and come back, health flaps, and others look on. What must always hold is checked throughout: a device has one holder
// (D1), nobody is admitted with less than he asked for (D2), what was answered is in the file (D3) and is not allocated
// again (D4), a plugin that is gone has no devices (D5), the file is whole (D6), and what nobody asked for nobody holds
// (D7). ThreadSanitizer looks for the rest.
#include <atomic>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/filesystem/file_functions.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "common/threads/mutex.h"
#include "deviceplugin/checkpoint/device_reader.h"
#include "deviceplugin/device_restore.h"
#include "deviceplugin/device_stack_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"

namespace kubelet_cm::deviceplugin {
namespace {

using fakes::FakeDevicePlugin;
using fakes::NumberedDevices;
using harness::PodWith;

#ifdef KUBELET_CM_TSAN
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
        EXPECT_THAT(HoldersInFile(), testing::Contains(uid));  // D3
        // D4: whoever asks again has the same, or is told that he must wait.
        if (stack_->manager().AllocatePod(PodWith(uid, {{kResource, wanted}})).ok()) ++admitted_again_;
        EXPECT_EQ(stack_->manager().ContainerDevices(uid, "main"), held) << uid;
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

  // The pods of the state file; D6: which is one, whenever somebody looks.
  std::set<std::string> HoldersInFile() {
    std::set<std::string> uids;
    const absl::StatusOr<std::string> bytes =
        ReadFile(machine_.files, machine_.folder.File(kDeviceCheckpointKey), size_t{16} << 20);
    EXPECT_OK(bytes);
    if (!bytes.ok()) return uids;
    const DeviceVerdict verdict = ReadDevicesAs(LatestPersonality(), *bytes);
    EXPECT_OK(verdict.status);
    for (const DeviceEntry& entry : verdict.content.entries.value_or(std::vector<DeviceEntry>())) {
      uids.insert(entry.pod_uid);
    }
    return uids;
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

  // Somebody's stream may still be ending.
  bool AwaitNoneAllocatable() {
    const MonotonicTime limit = machine_.clock.MonotonicNow() + absl::Seconds(60);
    while (machine_.clock.MonotonicNow() < limit) {
      const auto allocatable = stack_->manager().GetCapacity().allocatable;
      const auto found = allocatable.find(kResource);
      if (found != allocatable.end() && found->second == 0) return true;
      machine_.threads.Yield();
    }
    return false;
  }

  std::vector<std::unique_ptr<FakeDevicePlugin>> plugins_;
  MonotonicTime end_;
  std::atomic<int> admitted_ = 0;
  std::atomic<int> admitted_again_ = 0;
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
  EXPECT_GT(admitted_again_, 0);
  EXPECT_GT(registered_, 0);
  stack_->manager().CollectLeftovers();
  {
    MutexLock lock(&stack_->manager().state().mu);
    EXPECT_EQ(stack_->manager().state().ledger.TakenCount(kResource), 0);  // D7
    EXPECT_EQ(stack_->manager().state().ledger.reservation_count(), 0u);
  }
  EXPECT_OK(stack_->manager().Flush());
  EXPECT_THAT(HoldersInFile(), testing::IsEmpty());
  // D5
  plugins_[0]->Kill();
  plugins_[1]->Kill();
  ASSERT_TRUE(log_.AwaitLine("Mark all resources Unhealthy for resource"));
  ASSERT_TRUE(AwaitNoneAllocatable());
  pods_.Add("late");
  EXPECT_THAT(stack_->manager().AllocatePod(PodWith("late", {{kResource, 1}})),
              StatusIs(absl::StatusCode::kUnavailable, testing::HasSubstr("no healthy devices present")));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
