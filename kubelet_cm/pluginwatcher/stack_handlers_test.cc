#include "kubelet_cm/pluginwatcher/stack_handlers.h"

#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "deviceplugin/registration/recording_handler.h"

namespace kubelet_cm::pluginwatcher {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::Pair;

// The handler of DRA drivers is tried out with the real registry, in plugin_watcher_socket_test.
TEST(StackHandlersTest, ADevicePluginIsTheDeviceManagers) {
  deviceplugin::RecordingHandler manager;
  CapturingLogger log;
  deviceplugin::WatcherHandler watcher(manager, log);
  DevicePluginHandler handler(watcher);
  PluginInfo plugin{
      .type = "DevicePlugin", .name = "example.com/gpu", .endpoint = "/plugins/gpu.sock", .versions = {"v1beta1"}};
  EXPECT_OK(handler.Validate(plugin));
  EXPECT_OK(handler.Register(plugin));
  EXPECT_THAT(manager.registered(),
              ElementsAre(Field(&deviceplugin::RegisterPlugin::socket_path, "/plugins/gpu.sock")));
  handler.Deregister(plugin);
  EXPECT_THAT(manager.deregistered(), ElementsAre(Pair("example.com/gpu", "/plugins/gpu.sock")));
  plugin.versions = {"v9"};
  EXPECT_FALSE(handler.Validate(plugin).ok());
}

}  // namespace
}  // namespace kubelet_cm::pluginwatcher
