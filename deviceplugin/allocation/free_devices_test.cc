#include "deviceplugin/allocation/free_devices.h"

#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Ids(const FreeDevices& free) {
  std::vector<std::string> ids;
  for (const CandidateDevice& device : free.Devices()) ids.emplace_back(device.id);
  return ids;
}

const std::string kPod = "pod";

TEST(FreeDevicesTest, AreHealthyAndHeldByNobody) {
  DeviceHolders holders;
  holders.Take(&kPod, "held");
  const FreeDevices free(DeviceList::Of({{"free", true, {1}}, {"held", true}, {"ill", false}}), holders);
  EXPECT_THAT(Ids(free), ElementsAre("free"));
  EXPECT_THAT(free.Devices()[0].numa_nodes, ElementsAre(1));
}

TEST(FreeDevicesTest, FollowWhatIsTakenAndDropped) {
  FreeDevices free(DeviceList::Of({{"a", true}, {"b", true}}), DeviceHolders());
  free.SetHeld("a", true);
  free.SetHeld("a", true);
  EXPECT_THAT(Ids(free), ElementsAre("b"));
  free.SetHeld("a", false);
  free.SetHeld("a", false);
  EXPECT_THAT(Ids(free), ElementsAre("a", "b"));
}

TEST(FreeDevicesTest, AnUnhealthyOrUnlistedDeviceIsNeverFree) {
  FreeDevices free(DeviceList::Of({{"ill", false}}), DeviceHolders());
  free.SetHeld("ill", false);
  free.SetHeld("unlisted", false);
  EXPECT_THAT(Ids(free), IsEmpty());
}

TEST(FreeDevicesTest, KeepTheOrderOfALongList) {
  std::vector<ListedDevice> devices;
  for (int i = 0; i < 200; ++i) devices.push_back({.id = absl::StrFormat("d%03d", i), .healthy = true});
  FreeDevices free(DeviceList::Of(devices), DeviceHolders());
  for (int i = 0; i < 200; ++i) {
    if (i != 63 && i != 64 && i != 199) free.SetHeld(devices[i].id, true);
  }
  EXPECT_THAT(Ids(free), ElementsAre("d063", "d064", "d199"));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
