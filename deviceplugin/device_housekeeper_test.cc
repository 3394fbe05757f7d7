#include "deviceplugin/device_housekeeper.h"

#include <cerrno>

#include "common/filesystem/file_functions.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"

namespace kubelet_cm::deviceplugin {
namespace {

using fakes::NumberedDevices;
using harness::DeviceNode;
using harness::PodWith;
using testing::HasSubstr;

constexpr char kResource[] = "example.com/device";

class DeviceHousekeeperTest : public testing::Test {
 protected:
  DeviceHousekeeperTest() { EXPECT_OK(node_.Start()); }
  std::string File() { return ReadFile(node_.disk, DeviceNode::kStateFile, 1 << 20).value_or(""); }

  DeviceNode node_;
};

TEST_F(DeviceHousekeeperTest, TheFirstListIsWrittenThoughNobodyWaitsForIt) {
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  EXPECT_TRUE(node_.Await([&] { return File().find("dev-1") != std::string::npos; }));
}

TEST_F(DeviceHousekeeperTest, WhatADepartedPodHeldLeavesTheFileThoughNobodyWaitsForIt) {
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  ASSERT_THAT(File(), HasSubstr("\"PodUID\":\"one\""));
  node_.Remove("one");
  node_.manager().CollectLeftovers();
  EXPECT_TRUE(node_.Await([&] { return File().find("\"PodUID\":\"one\"") == std::string::npos; }));
}

TEST_F(DeviceHousekeeperTest, WhatAnAdmissionCollectsLeavesTheFileThoughThePodItselfNeedsNothing) {
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  node_.Remove("one");
  ASSERT_OK(node_.Admit(PodWith("two", {})));
  EXPECT_TRUE(node_.Await([&] { return File().find("\"PodUID\":\"one\"") == std::string::npos; }));
}

TEST_F(DeviceHousekeeperTest, AResourceThatExpiresLeavesTheFile) {
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 0));
  ASSERT_TRUE(node_.clock.AwaitAlarms(1));
  node_.clock.Advance(absl::Minutes(6));
  EXPECT_TRUE(node_.Await([&] { return File().find(kResource) == std::string::npos; }));
}

TEST_F(DeviceHousekeeperTest, AWriteThatFailsIsLoggedAndMadeUpForByTheNextChange) {
  node_.faults.Arm({.ops = {FileOp::kRename}, .error = EIO});
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  ASSERT_TRUE(node_.Await([&] { return node_.log.Count("Writing checkpoint encountered") == 1; }));
  node_.plugin("a.sock").feed().Publish(NumberedDevices("dev-", 3));
  EXPECT_TRUE(node_.Await([&] { return File().find("dev-2") != std::string::npos; }));
}

// As with a full disk: the file says that the pod has the device, and nothing can be written any more.
TEST_F(DeviceHousekeeperTest, WhatAPodHasNotGotLeavesTheFileWhenTheDiskCanBeWrittenAgainThoughNothingElseHappens) {
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  ASSERT_OK(node_.manager().Flush());
  node_.faults.Arm({.ops = {FileOp::kSyncFolder}, .persistent = true, .error = ENOSPC});
  EXPECT_FALSE(node_.Admit(PodWith("one", {{kResource, 1}})).ok());
  ASSERT_TRUE(node_.log.AwaitLine("Writing checkpoint encountered"));
  node_.faults.Arm({.ops = {FileOp::kOpen}, .persistent = true, .error = ENOSPC});
  ASSERT_TRUE(node_.clock.AwaitAlarms(1));
  node_.clock.Advance(kWriteAgainAfter);
  ASSERT_TRUE(node_.log.AwaitLine("Writing checkpoint encountered", 2));
  node_.faults.DisarmAll();
  ASSERT_TRUE(node_.clock.AwaitAlarms(1));
  node_.clock.Advance(kWriteAgainAfter);
  ASSERT_TRUE(node_.Await([&] { return node_.manager().writes().failures == 3; }));
  EXPECT_TRUE(node_.Await([&] { return File().find("\"PodUID\":\"one\"") == std::string::npos; }));
}

TEST_F(DeviceHousekeeperTest, AWriteThatOthersHaveMadeUpForIsNotTriedAgain) {
  node_.faults.Arm({.ops = {FileOp::kRename}, .error = EIO});
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  ASSERT_TRUE(node_.log.AwaitLine("Writing checkpoint encountered"));
  ASSERT_TRUE(node_.clock.AwaitAlarms(1));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  const CheckpointWriterCounts before = node_.manager().writes();
  node_.clock.Advance(kWriteAgainAfter);
  node_.KillPlugin("a.sock");  // its end is seen to after what was due before
  ASSERT_TRUE(node_.clock.AwaitAlarms(1));
  EXPECT_EQ(node_.manager().writes(), before);
}

TEST_F(DeviceHousekeeperTest, AKilledManagerWritesNothingMore) {
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  const std::string before = File();
  node_.Kill();
  EXPECT_EQ(File(), before);
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
