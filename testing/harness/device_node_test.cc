#include "testing/harness/device_node.h"

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::harness {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kResource[] = "example.com/device";

TEST(DeviceNodeTest, APodIsAdmittedAndItsDevicesCanBeSeen) {
  DeviceNode node;
  ASSERT_OK(node.Start());
  ASSERT_OK(node.RunPlugin(kResource, "a.sock"));
  ASSERT_OK(node.Admit(PodWith("one", {{kResource, 2}})));
  EXPECT_THAT(node.Devices("one", kResource), ElementsAre("dev-0", "dev-1"));
}

TEST(DeviceNodeTest, PluginsLiveOnWhenTheManagerIsKilled) {
  DeviceNode node;
  ASSERT_OK(node.Start());
  ASSERT_OK(node.RunPlugin(kResource, "a.sock"));
  node.Kill();
  ASSERT_OK(node.Start());
  ASSERT_OK(node.Register(kResource, "a.sock"));
  EXPECT_TRUE(node.AwaitCapacity(kResource, 2, 2));
}

TEST(DeviceNodeTest, NobodyIsAtTheSocketOfAKilledPlugin) {
  DeviceNode node;
  ASSERT_OK(node.Start());
  ASSERT_OK(node.RunPlugin(kResource, "a.sock"));
  node.KillPlugin("a.sock");
  EXPECT_FALSE(node.Register(kResource, "a.sock").ok());
}

TEST(DeviceNodeTest, AnUnknownKubeletIsAnError) {
  DeviceNode node;
  EXPECT_THAT(node.Start("0.9"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("1.8")));
}

}  // namespace
}  // namespace kubelet_cm::harness
