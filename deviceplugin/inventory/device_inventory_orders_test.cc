// Two plugins of one resource that connect, list and go: every order in which that may come, also those that a late
// event brings about, against a few sentences that must hold after each step.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "deviceplugin/inventory/device_inventory.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAreArray;

constexpr char kGpu[] = "example.com/gpu";
constexpr InstanceId kA = 1;
constexpr InstanceId kB = 2;

enum class Kind { kConnect, kList, kEnd };
using Step = std::pair<Kind, InstanceId>;

const std::shared_ptr<const DeviceList>& ListOf(InstanceId id) {
  static const auto& of_a = *new auto(DeviceList::Of({{"a", true}, {"both", true}, {"sick", false}}));
  static const auto& of_b = *new auto(DeviceList::Of({{"b", true}, {"both", true}, {"sick", true}}));
  return id == kA ? of_a : of_b;
}

// One run, and what must be true of it as far as the steps themselves tell.
class Run {
 public:
  explicit Run(bool restored) : had_picture_(restored) {
    if (restored) inventory_.RestoreStopped(kGpu, now_);
  }

  void Do(const Step& step) {
    const std::map<std::string, DeviceHealth> health_before = Health();
    const std::vector<std::string> registered_before = Registered();
    const uint64_t generation_before = inventory_.generation(kGpu);
    const auto endpoint_before = inventory_.Primary(kGpu);
    Apply(step);
    ExpectChangeIsTold(health_before);
    EXPECT_EQ(registered_changed_, registered_before != Registered());
    const bool changed = health_before != Health() || !(endpoint_before == inventory_.Primary(kGpu));
    EXPECT_EQ(inventory_.generation(kGpu) > generation_before, changed || generation_must_grow_);
    ExpectInvariants();
  }

 private:
  void Apply(const Step& step) {
    const auto [kind, id] = step;
    changed_.clear();
    registered_changed_ = generation_must_grow_ = false;
    if (kind == Kind::kConnect) {
      inventory_.Connect(kGpu, {.id = id});
      connected_.insert(id);
      generation_must_grow_ = true;
    } else if (kind == Kind::kList) {
      const auto change = inventory_.SetDevices(kGpu, id, ListOf(id));
      if (connected_.contains(id)) listed_.insert(id);
      had_picture_ = had_picture_ || connected_.contains(id);
      EXPECT_EQ(change.is_primary, !connected_.empty() && *connected_.rbegin() == id);
      changed_ = change.health_changed;
      registered_changed_ = change.registered_changed;
    } else {
      const auto change = inventory_.Disconnect(kGpu, id, now_);
      EXPECT_EQ(change.was_connected, connected_.erase(id) == 1);
      EXPECT_EQ(change.stopped, change.was_connected && connected_.empty());
      listed_.erase(id);
      changed_ = change.health_changed;
      if (!connected_.empty() && listed_.empty()) {
        EXPECT_TRUE(changed_.empty()) << "the picture stays until the one that remains has listed";
      }
      registered_changed_ = change.registered_changed;
    }
  }

  // What was told is what differs; a Connect tells nothing, and so must change nothing.
  void ExpectChangeIsTold(const std::map<std::string, DeviceHealth>& before) {
    std::vector<std::string> differing;
    for (const auto& [id, health] : Health()) {
      if (before.at(id) != health) differing.push_back(id);
    }
    EXPECT_THAT(changed_, ElementsAreArray(differing));
  }

  void ExpectInvariants() {
    const auto primary = inventory_.Primary(kGpu);
    ASSERT_EQ(primary.has_value(), !connected_.empty());
    if (primary.has_value()) {
      EXPECT_EQ(primary->id, *connected_.rbegin()) << "the newest is the primary";
    }
    if (!listed_.empty()) {
      EXPECT_EQ(*inventory_.Devices(kGpu), *ListOf(*listed_.rbegin())) << "the newest list is the picture";
      EXPECT_EQ(inventory_.HealthyCount(kGpu), ListOf(*listed_.rbegin())->healthy_count());
    }
    if (connected_.empty()) {
      EXPECT_EQ(inventory_.HealthyCount(kGpu), 0) << "nobody answers for the devices";
    }
    EXPECT_EQ(inventory_.NextExpiry().has_value(), connected_.empty() && inventory_.Knows(kGpu));
    const auto capacity = inventory_.GetCapacity(now_);
    EXPECT_EQ(capacity.capacity.contains(kGpu), had_picture_);
    if (had_picture_) {
      EXPECT_GE(capacity.capacity.at(kGpu), capacity.allocatable.at(kGpu));
    }
    EXPECT_TRUE(capacity.deleted.empty());
  }

  std::map<std::string, DeviceHealth> Health() const {
    std::map<std::string, DeviceHealth> health;
    for (const char* id : {"a", "b", "both", "sick"}) health[id] = inventory_.HealthOf(kGpu, id);
    return health;
  }
  // With a mark for the resource itself.
  std::vector<std::string> Registered() const {
    std::vector<std::string> flat;
    for (const auto& [resource, ids] : inventory_.Registered()) {
      flat.push_back(resource);
      flat.insert(flat.end(), ids->begin(), ids->end());
    }
    return flat;
  }

  const MonotonicTime now_ = MonotonicTime::FromStart(absl::Hours(1));
  DeviceInventory inventory_;
  std::set<InstanceId> connected_;
  std::set<InstanceId> listed_;  // connected, and has sent a list
  bool had_picture_;
  std::vector<std::string> changed_;
  bool registered_changed_ = false;
  bool generation_must_grow_ = false;
};

std::string Name(const Step& step) {
  const char* const names[] = {"connect", "list", "end"};
  return names[static_cast<int>(step.first)] + std::string(step.second == kA ? " A" : " B");
}

// Runs all 720 orders.
void TryAllOrders(bool restored) {
  std::array<Step, 6> steps = {Step(Kind::kConnect, kA), Step(Kind::kConnect, kB), Step(Kind::kList, kA),
                               Step(Kind::kList, kB),    Step(Kind::kEnd, kA),     Step(Kind::kEnd, kB)};
  int orders = 0;
  do {
    Run run(restored);
    std::string trace;
    for (const Step& step : steps) {
      trace += Name(step) + ", ";
      SCOPED_TRACE(trace);
      run.Do(step);
      if (::testing::Test::HasFailure()) return;
    }
    ++orders;
  } while (std::next_permutation(steps.begin(), steps.end()));
  EXPECT_EQ(orders, 720);
}

TEST(DeviceInventoryOrdersTest, EveryOrderOnANewNodeKeepsTheInvariants) { TryAllOrders(/*restored=*/false); }

TEST(DeviceInventoryOrdersTest, EveryOrderAfterARestartKeepsTheInvariants) { TryAllOrders(/*restored=*/true); }

}  // namespace
}  // namespace kubelet_cm::deviceplugin
