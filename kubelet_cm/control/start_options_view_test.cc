#include "kubelet_cm/control/start_options_view.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;

TEST(StartOptionsViewTest, TheClaimsCdiNamesComeBeforeTheDevices) {
  StartOptions options;
  options.claims.cdi_device_ids = {"vendor/class=claimed"};
  options.devices.cdi_devices = {"vendor/class=plugged"};
  EXPECT_THAT(ViewStartOptions(options).cdi_devices(), ElementsAre("vendor/class=claimed", "vendor/class=plugged"));
}

TEST(StartOptionsViewTest, EverythingThatAPluginAsksForIsShown) {
  StartOptions options;
  options.claims.annotations = {{.key = "cdi.k8s.io/a", .value = "1"}};
  options.devices.annotations = {{"b", "2"}};
  options.devices.envs = {{"VISIBLE", "all"}};
  options.devices.mounts = {{.name = "/in", .container_path = "/in", .host_path = "/host", .read_only = true}};
  options.devices.devices = {{.host_path = "/dev/a", .container_path = "/dev/b", .permissions = "rw"}};
  const auto view = ViewStartOptions(options);
  EXPECT_EQ(view.annotations(0).name(), "cdi.k8s.io/a");
  EXPECT_EQ(view.annotations(1).value(), "2");
  EXPECT_EQ(view.envs().at("VISIBLE"), "all");
  EXPECT_EQ(view.mounts(0).container_path(), "/in");
  EXPECT_EQ(view.mounts(0).host_path(), "/host");
  EXPECT_TRUE(view.mounts(0).read_only());
  EXPECT_EQ(view.devices(0).host_path(), "/dev/a");
  EXPECT_EQ(view.devices(0).container_path(), "/dev/b");
  EXPECT_EQ(view.devices(0).permissions(), "rw");
}

}  // namespace
}  // namespace kubelet_cm
