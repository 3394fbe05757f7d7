#include "deviceplugin/allocation/device_holders.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string kP = "p";
const std::string kQ = "q";
const std::string kR = "r";

TEST(DeviceHoldersTest, ADeviceIsHeldUntilItIsDroppedAsOftenAsTaken) {
  DeviceHolders holders;
  holders.Take(&kP, "a");
  holders.Take(&kP, "a");
  holders.Drop(&kP, "a");
  EXPECT_TRUE(holders.IsHeld("a"));
  EXPECT_EQ(holders.size(), 1u);
  holders.Drop(&kP, "a");
  EXPECT_FALSE(holders.IsHeld("a"));
  EXPECT_EQ(holders.size(), 0u);
}

TEST(DeviceHoldersTest, TakingSaysWhoElseHoldsIt) {
  DeviceHolders holders;
  EXPECT_EQ(holders.Take(&kP, "a"), nullptr);
  EXPECT_EQ(holders.Take(&kP, "a"), nullptr);
  EXPECT_EQ(holders.Take(&kQ, "a"), &kP);
  EXPECT_EQ(holders.Take(&kP, "a"), &kQ);
}

TEST(DeviceHoldersTest, HeldByOtherIsNotTheOwn) {
  DeviceHolders holders;
  EXPECT_FALSE(holders.IsHeldByOther("a", "p"));
  holders.Take(&kP, "a");
  EXPECT_FALSE(holders.IsHeldByOther("a", "p"));
  EXPECT_TRUE(holders.IsHeldByOther("a", "q"));
  holders.Take(&kQ, "a");
  EXPECT_TRUE(holders.IsHeldByOther("a", "p"));
}

TEST(DeviceHoldersTest, ADeviceOfSeveralPodsIsFreeWhenAllAreGone) {
  DeviceHolders holders;
  for (const std::string* pod : {&kR, &kP, &kQ, &kQ}) holders.Take(pod, "a");
  EXPECT_THAT(holders.PodsOf("a"), ElementsAre("p", "q", "r"));
  holders.Drop(&kR, "a");
  EXPECT_THAT(holders.PodsOf("a"), ElementsAre("p", "q"));
  holders.Drop(&kQ, "a");
  holders.Drop(&kP, "a");
  EXPECT_THAT(holders.PodsOf("a"), ElementsAre("q"));
  EXPECT_FALSE(holders.IsHeldByOther("a", "q"));
  holders.Drop(&kQ, "a");
  EXPECT_THAT(holders.PodsOf("a"), IsEmpty());
}

TEST(DeviceHoldersDeathTest, DroppingWhatIsNotHeldIsABug) {
  DeviceHolders holders;
  EXPECT_DEATH(holders.Drop(&kP, "a"), "device a is held by nobody");
  holders.Take(&kP, "a");
  EXPECT_DEATH(holders.Drop(&kQ, "a"), "pod q does not hold a");
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
