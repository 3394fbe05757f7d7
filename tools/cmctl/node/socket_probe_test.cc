#include "tools/cmctl/node/socket_probe.h"

#include <string>
#include <vector>

#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/short_temp_dir.h"
#include "common/unixsocket/silent_socket.h"
#include "deviceplugin/api/plugin_api.h"
#include "dra/api/dra_api.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_device_plugin.h"
#include "testing/fakes/fake_dra_driver.h"

namespace kubelet_cm::cmctl {
namespace {

using deviceplugin::PluginApi;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Names(const SocketReport& report) {
  std::vector<std::string> names;
  for (const KnownService& service : report.services) names.push_back(service.name);
  return names;
}

class SocketProbeTest : public testing::Test {
 protected:
  fakes::FakeDevicePlugin::Options PluginOptions(PluginApi api) {
    return {.folder = folder_.path(), .api = api, .plugin = {.devices = fakes::NumberedDevices("dev-", 2, 0)}};
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  PosixFileSystem files_;
  ShortTempDir folder_;
};

TEST_F(SocketProbeTest, ADevicePluginTellsItsOptionsAndDevices) {
  fakes::FakeDevicePlugin plugin({threads_, files_}, PluginOptions(PluginApi::kV1Beta1));
  ASSERT_OK(plugin.Start());
  ASSERT_OK_AND_ASSIGN(const SocketReport report, ProbeSocket(plugin.socket_path()));
  EXPECT_THAT(Names(report), ElementsAre("v1beta1.DevicePlugin"));
  EXPECT_TRUE(report.options.has_value());
  ASSERT_TRUE(report.devices.has_value());
  EXPECT_EQ(report.devices->devices_size(), 2);
  EXPECT_THAT(report.problems, IsEmpty());
}

TEST_F(SocketProbeTest, AskingDoesNotReachAPluginsAllocate) {
  fakes::FakeDevicePlugin plugin({threads_, files_}, PluginOptions(PluginApi::kV1Alpha2));
  ASSERT_OK(plugin.Start());
  ASSERT_OK_AND_ASSIGN(const SocketReport report, ProbeSocket(plugin.socket_path()));
  EXPECT_THAT(Names(report), ElementsAre("deviceplugin.DevicePlugin"));
  ASSERT_TRUE(report.devices.has_value());
  EXPECT_EQ(report.devices->devices_size(), 2);
  for (const fakes::PluginCall& call : plugin.Calls()) EXPECT_NE(call.method, fakes::PluginMethod::kAllocate);
}

TEST_F(SocketProbeTest, ADriverIsKnownByItsServicesOnBothSockets) {
  fakes::FakeDraDriver driver({threads_, files_}, {.folder = folder_.path(),
                                                   .registration_folder = folder_.path(),
                                                   .api = dra::DraApi::kV1Beta1,
                                                   .health_apis = {dra::DraHealthApi::kV1Alpha1}});
  ASSERT_OK(driver.Start());
  ASSERT_OK_AND_ASSIGN(const SocketReport service, ProbeSocket(driver.socket_path()));
  EXPECT_THAT(Names(service),
              ElementsAre("k8s.io.kubelet.pkg.apis.dra.v1beta1.DRAPlugin", "v1alpha1.DRAResourceHealth"));
  ASSERT_OK_AND_ASSIGN(const SocketReport registration, ProbeSocket(driver.registration_path()));
  EXPECT_THAT(Names(registration), ElementsAre("pluginregistration.Registration"));
  ASSERT_TRUE(registration.registration.has_value());
  EXPECT_EQ(registration.registration->name(), driver.name());
  EXPECT_THAT(driver.PreparedClaims(), IsEmpty());
}

TEST_F(SocketProbeTest, ASocketOnWhichNobodyAnswersIsUnavailable) {
  const SilentSocket silent(folder_.File("s"));
  EXPECT_THAT(ProbeSocket(folder_.File("s")), StatusIs(absl::StatusCode::kUnavailable));
}

}  // namespace
}  // namespace kubelet_cm::cmctl
