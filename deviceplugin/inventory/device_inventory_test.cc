#include "deviceplugin/inventory/device_inventory.h"

#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsNull;
using ::testing::Optional;
using ::testing::Pair;

constexpr char kGpu[] = "example.com/gpu";

MonotonicTime At(absl::Duration since_start) { return MonotonicTime::FromStart(since_start); }

std::shared_ptr<const DeviceList> Healthy(const std::vector<std::string>& ids) {
  std::vector<ListedDevice> devices;
  for (const std::string& id : ids) devices.push_back({id, true});
  return DeviceList::Of(std::move(devices));
}

class DeviceInventoryTest : public ::testing::Test {
 protected:
  void Connect(InstanceId id) { inventory_.Connect(kGpu, {.id = id, .socket_path = "/p/" + std::to_string(id)}); }
  DeviceInventory::ListChange List(InstanceId id, const std::vector<std::string>& ids) {
    return inventory_.SetDevices(kGpu, id, Healthy(ids));
  }
  DeviceInventory::DisconnectChange End(InstanceId id, MonotonicTime now = At(absl::Seconds(100))) {
    return inventory_.Disconnect(kGpu, id, now);
  }
  InstanceId Primary() const {
    const std::optional<PluginInstance> primary = inventory_.Primary(kGpu);
    return primary.has_value() ? primary->id : 0;
  }
  std::vector<std::string> HealthyIds() const { return *inventory_.Registered()[kGpu]; }

  DeviceInventory inventory_;
};

TEST_F(DeviceInventoryTest, NothingIsKnownAtFirst) {
  EXPECT_FALSE(inventory_.Knows(kGpu));
  EXPECT_THAT(inventory_.Devices(kGpu), IsNull());
  EXPECT_EQ(Primary(), 0);
  EXPECT_EQ(inventory_.generation(kGpu), 0);
  EXPECT_EQ(inventory_.HealthOf(kGpu, "a"), DeviceHealth::kUnknown);
  EXPECT_EQ(inventory_.NextExpiry(), std::nullopt);
}

TEST_F(DeviceInventoryTest, AConnectedPluginIsKnownBeforeItsFirstListAndShowsNoCapacity) {
  Connect(1);
  EXPECT_TRUE(inventory_.Knows(kGpu));
  EXPECT_THAT(inventory_.Devices(kGpu)->devices(), IsEmpty());
  EXPECT_THAT(inventory_.GetCapacity(At(absl::ZeroDuration())).capacity, IsEmpty());
  EXPECT_THAT(inventory_.Registered(), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
