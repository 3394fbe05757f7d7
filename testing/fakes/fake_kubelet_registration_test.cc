#include "testing/fakes/fake_kubelet_registration.h"

#include <memory>

#include "absl/status/status.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/short_temp_dir.h"
#include "deviceplugin/api/plugin_api.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_device_plugin.h"

namespace kubelet_cm::fakes {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FakeKubeletRegistrationTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(kubelet_, FakeKubeletRegistration::New(threads_, files_, folder_.File("kubelet.sock")));
  }

  absl::Status Register(deviceplugin::PluginApi api, ::v1beta1::DevicePluginOptions options = {}) {
    FakeDevicePlugin plugin({threads_, files_}, {.resource_name = "example.com/gpu",
                                                 .folder = folder_.path(),
                                                 .socket_name = "gpu.sock",
                                                 .api = api,
                                                 .plugin = {.options = std::move(options)}});
    return plugin.Register(folder_.File("kubelet.sock"));
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  PosixFileSystem files_;
  ShortTempDir folder_;
  std::unique_ptr<FakeKubeletRegistration> kubelet_;
};

TEST_F(FakeKubeletRegistrationTest, RemembersWhoRegisteredAndHow) {
  ::v1beta1::DevicePluginOptions options;
  options.set_pre_start_required(true);
  EXPECT_OK(Register(deviceplugin::PluginApi::kV1Beta1, options));
  EXPECT_OK(Register(deviceplugin::PluginApi::kV1Alpha2));
  EXPECT_OK(Register(deviceplugin::PluginApi::k01));
  const std::string legacy = "deviceplugin.Registration";
  EXPECT_THAT(kubelet_->registrations(),
              ElementsAre(Registration{"v1beta1.Registration", "v1beta1", "gpu.sock", "example.com/gpu", true, false},
                          Registration{legacy, "v1alpha2", "gpu.sock", "example.com/gpu"},
                          Registration{legacy, "0.1", "gpu.sock", "example.com/gpu"}));
}

TEST_F(FakeKubeletRegistrationTest, RefusesWithCodeUnknownAsKubeletsDo) {
  kubelet_->SetAnswer(absl::InvalidArgumentError("no such API"));
  EXPECT_THAT(Register(deviceplugin::PluginApi::kV1Beta1), StatusIs(absl::StatusCode::kUnknown, "no such API"));
}

TEST_F(FakeKubeletRegistrationTest, WaitingInVainTellsHowManyCame) {
  EXPECT_OK(Register(deviceplugin::PluginApi::kV1Beta1));
  EXPECT_OK(kubelet_->WaitFor(1));
  EXPECT_THAT(kubelet_->WaitFor(2, absl::ZeroDuration()),
              StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("only 1 registrations")));
}

}  // namespace
}  // namespace kubelet_cm::fakes
