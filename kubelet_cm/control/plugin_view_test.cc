#include "kubelet_cm/control/plugin_view.h"

#include <string>

#include "common/personality/personality.h"
#include "common/status/status_matchers.h"
#include "dra/plugin/switched_drivers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"

namespace kubelet_cm {
namespace {

using ::kubeletcm::v1::ListPluginsResponse;
using ::testing::SizeIs;

class PluginViewTest : public ::testing::Test {
 protected:
  PluginViewTest() { EXPECT_OK(node_.Start()); }

  // A driver that has registered with a kubelet of `version` and has not been connected to.
  ListPluginsResponse::Plugin Driver(const std::string& version) {
    dra::SwitchedDrivers drivers(node_.threads);
    dra::DriverRegistry registry({.threads = node_.threads,
                                  .log = node_.log,
                                  .random = node_.random,
                                  .kubelet = **ParsePersonality(version),
                                  .connect = drivers.Connector()});
    EXPECT_OK(
        registry.Register({.driver_name = "gpu", .endpoint = "/gpu", .supported_versions = {"v1beta1.DRAPlugin"}}));
    const ListPluginsResponse view = ViewPlugins(node_.manager(), &registry, {});
    EXPECT_THAT(view.plugins(), SizeIs(1));
    return view.plugins(0);
  }

  harness::DeviceNode node_;
};

TEST_F(PluginViewTest, ADriverShowsWhetherItIsConnectedOnlyWhereThatIsKnown) {
  EXPECT_EQ(Driver("latest").state(), "disconnected");
  EXPECT_EQ(Driver("1.33").state(), "registered");
}

TEST_F(PluginViewTest, ADevicePluginThatIsGoneIsShownAsLongAsItsResource) {
  ASSERT_OK(node_.RunPlugin("example.com/device", "a.sock"));
  EXPECT_EQ(ViewPlugins(node_.manager(), nullptr, {}).plugins(0).state(), "connected");
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(node_.AwaitCapacity("example.com/device", 2, 0));
  const ListPluginsResponse view = ViewPlugins(node_.manager(), nullptr, {});
  ASSERT_THAT(view.plugins(), SizeIs(1));
  EXPECT_EQ(view.plugins(0).state(), "disconnected");
  EXPECT_EQ(view.plugins(0).name(), "example.com/device");
}

TEST_F(PluginViewTest, ASocketThatIsNotRegisteredShowsWhy) {
  const ListPluginsResponse view =
      ViewPlugins(node_.manager(), nullptr,
                  {{.path = "/reg/a.sock", .state = pluginwatcher::PluginState::kFailed, .error = "no such type"},
                   {.path = "/reg/b.sock", .state = pluginwatcher::PluginState::kRegistered}});
  ASSERT_THAT(view.plugins(), SizeIs(1));
  EXPECT_EQ(view.plugins(0).state(), "failed");
  EXPECT_EQ(view.plugins(0).registration_socket(), "/reg/a.sock");
  EXPECT_EQ(view.plugins(0).message(), "no such type");
}

}  // namespace
}  // namespace kubelet_cm
