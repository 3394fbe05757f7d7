#include "deviceplugin/allocation/available_devices.h"

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;

TEST(AvailableDevicesTest, AreHealthyAndHeldByNobody) {
  const auto devices = DeviceList::Of({{"entry", true}, {"free", true, {1}}, {"ill", false}, {"reserved", true}});
  DeviceLedger ledger;
  ASSERT_OK_AND_ASSIGN(const ReservationId committed,
                       ledger.Reserve({"p", "c", "r"}, std::vector<std::string>{"entry"}));
  ASSERT_OK(ledger.Commit(committed, {{0, DeviceIds{"entry"}}}, ""));
  ASSERT_OK(ledger.Reserve({"q", "c", "r"}, std::vector<std::string>{"reserved"}));

  const std::vector<CandidateDevice> available = AvailableDevices(*devices, ledger, "r");
  ASSERT_THAT(available, ElementsAre(Field(&CandidateDevice::id, "free")));
  EXPECT_THAT(available[0].numa_nodes, ElementsAre(1));
}

TEST(AvailableDevicesTest, ADeviceHeldUnderAnotherResourceIsAvailable) {
  const auto devices = DeviceList::Of({{"a", true}});
  DeviceLedger ledger;
  ASSERT_OK(ledger.Reserve({"p", "c", "other"}, std::vector<std::string>{"a"}));
  EXPECT_THAT(AvailableDevices(*devices, ledger, "r"), ElementsAre(Field(&CandidateDevice::id, "a")));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
