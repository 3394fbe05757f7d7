// What the product's clients and the fake plugins promise each other, for every API on a socket and for the fake
// without one. Anything a test relies on with one of them holds with the others.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/short_temp_dir.h"
#include "deviceplugin/api/plugin_api.h"
#include "deviceplugin/endpoint/connect_plugin.h"
#include "deviceplugin/endpoint/fake_plugin_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_device_plugin.h"

namespace kubelet_cm::fakes {
namespace {

using deviceplugin::DeviceStream;
using deviceplugin::PluginApi;
using deviceplugin::PluginClient;
using ::testing::ElementsAre;

constexpr absl::Duration kLimit = absl::Seconds(20);

const std::vector<std::string>& Ids() {
  static const auto* const ids = new std::vector<std::string>{"dev-0", "dev-1"};
  return *ids;
}

// An API on a socket; none is the fake in memory.
using Kind = std::optional<PluginApi>;

std::string NameOf(const ::testing::TestParamInfo<Kind>& info) {
  if (!info.param.has_value()) return "InMemory";
  switch (*info.param) {
    case PluginApi::kV1Beta1:
      return "V1Beta1";
    case PluginApi::kV1Alpha2:
      return "V1Alpha2";
    case PluginApi::k01:
      return "V01";
  }
  return "";
}

class DevicePluginContractTest : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (!GetParam().has_value()) {
      in_memory_.emplace(threads_, ScriptedPlugin::Options{});
    } else {
      served_.emplace(FakeDevicePlugin::Dependencies{threads_, files_},
                      FakeDevicePlugin::Options{.folder = folder_.path(), .api = *GetParam()});
      ASSERT_OK(served_->Start());
    }
    ASSERT_OK_AND_ASSIGN(client_, Connect());
  }

  absl::StatusOr<std::unique_ptr<PluginClient>> Connect() {
    if (!served_.has_value()) return std::make_unique<deviceplugin::FakePluginClient>(threads_, *in_memory_);
    return deviceplugin::ConnectPlugin({files_, log_}, served_->socket_path(), *GetParam(),
                                       {.dial_timeout = absl::Milliseconds(200)});
  }

  PluginScript& script() { return served_.has_value() ? served_->script() : in_memory_->script(); }
  DeviceFeed& feed() { return served_.has_value() ? served_->feed() : in_memory_->feed(); }

  absl::Status Allocate(absl::Duration limit = kLimit) { return client_->Allocate(Ids(), limit).status(); }

  RealClock clock_;
  RealThreads threads_{clock_};
  PosixFileSystem files_;
  CapturingLogger log_;
  ShortTempDir folder_;
  std::optional<ScriptedPlugin> in_memory_;
  std::optional<FakeDevicePlugin> served_;
  std::unique_ptr<PluginClient> client_;
};

INSTANTIATE_TEST_SUITE_P(AllKinds, DevicePluginContractTest,
                         ::testing::Values(Kind(), Kind(PluginApi::kV1Beta1), Kind(PluginApi::kV1Alpha2),
                                           Kind(PluginApi::k01)),
                         NameOf);

TEST_P(DevicePluginContractTest, AnswersAboutTheDevicesThatItIsAskedFor) {
  ASSERT_OK_AND_ASSIGN(const v1beta1::AllocateResponse answer, client_->Allocate(Ids(), kLimit));
  ASSERT_EQ(answer.container_responses_size(), 1);
  EXPECT_EQ(answer.container_responses(0).envs().at("FAKE_DEVICES"), "dev-0,dev-1");
  EXPECT_THAT(script().Calls(), ElementsAre(PluginCall{.method = PluginMethod::kAllocate, .ids = Ids()}));
}

TEST_P(DevicePluginContractTest, StreamBringsTheDevicesAndEveryChange) {
  const std::unique_ptr<DeviceStream> stream = client_->ListAndWatch();
  ASSERT_OK_AND_ASSIGN(const auto first, stream->Read());
  EXPECT_EQ(first->devices(1).id(), "dev-1");
  EXPECT_EQ(first->devices(1).health(), "Healthy");
  ASSERT_OK(feed().SetHealth("dev-1", "Unhealthy"));
  ASSERT_OK_AND_ASSIGN(const auto second, stream->Read());
  EXPECT_EQ(second->devices(1).health(), "Unhealthy");
  feed().Publish({});
  ASSERT_OK_AND_ASSIGN(const auto third, stream->Read());
  EXPECT_EQ(third->devices_size(), 0);
}

TEST_P(DevicePluginContractTest, FailsTheNthCallWithItsStatus) {
  script().At(PluginMethod::kAllocate, 2, {.act = PluginAct::kFail, .error = absl::NotFoundError("no such GPU")});
  EXPECT_OK(Allocate());
  EXPECT_THAT(Allocate(), StatusIs(absl::StatusCode::kNotFound, "no such GPU"));
  EXPECT_OK(Allocate());
}

TEST_P(DevicePluginContractTest, HoldsACallUntilItIsReleased) {
  script().At(PluginMethod::kAllocate, 1, {.held = true});
  const std::unique_ptr<Thread> caller = threads_.Start("caller", [this] { EXPECT_OK(Allocate()); });
  EXPECT_OK(script().WaitForCall(PluginMethod::kAllocate, 1));
  script().Release(PluginMethod::kAllocate, 1);
}

TEST_P(DevicePluginContractTest, HangingCallEndsWhenItsTimeIsOver) {
  script().Always(PluginMethod::kAllocate, {.held = true});  // its time may be over before it gets there
  EXPECT_THAT(Allocate(absl::Milliseconds(30)), StatusIs(absl::StatusCode::kDeadlineExceeded));
  script().Always(PluginMethod::kAllocate, {});
  EXPECT_OK(Allocate());
}

TEST_P(DevicePluginContractTest, DelayedCallIsAnsweredWell) {
  script().At(PluginMethod::kAllocate, 1, {.delay = absl::Milliseconds(1)});
  EXPECT_OK(Allocate());
  script().Always(PluginMethod::kAllocate, {.delay = absl::Hours(1)});
  EXPECT_THAT(Allocate(absl::Milliseconds(30)), StatusIs(absl::StatusCode::kDeadlineExceeded));
}

TEST_P(DevicePluginContractTest, DisconnectEndsWhatIsInFlightAndWhatComesLater) {
  script().At(PluginMethod::kAllocate, 1, {.held = true});
  const std::unique_ptr<DeviceStream> stream = client_->ListAndWatch();
  ASSERT_OK(stream->Read());
  const std::unique_ptr<Thread> caller =
      threads_.Start("caller", [this] { EXPECT_THAT(Allocate(), StatusIs(absl::StatusCode::kCancelled)); });
  ASSERT_OK(script().WaitForCall(PluginMethod::kAllocate, 1));
  client_->Disconnect();
  EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(Allocate(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(client_->ListAndWatch()->Read(), StatusIs(absl::StatusCode::kCancelled));
}

TEST_P(DevicePluginContractTest, CancelEndsTheStreamAlone) {
  const std::unique_ptr<DeviceStream> stream = client_->ListAndWatch();
  ASSERT_OK(stream->Read());
  const std::unique_ptr<Thread> canceller = threads_.Start("canceller", [&] { stream->Cancel(); });
  EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_OK(Allocate());
}

TEST_P(DevicePluginContractTest, StreamThatThePluginEndsProperlyIsAtItsEnd) {
  const std::unique_ptr<DeviceStream> stream = client_->ListAndWatch();
  ASSERT_OK(stream->Read());
  script().At(PluginMethod::kAllocate, 1, {.act = PluginAct::kEndStream});
  EXPECT_OK(Allocate());
  EXPECT_EQ(stream->Read().status(), deviceplugin::EndOfStream());
  EXPECT_EQ(stream->Read().status(), deviceplugin::EndOfStream());
}

TEST_P(DevicePluginContractTest, RefusedStreamTellsSo) {
  script().At(PluginMethod::kListAndWatch, 1, {.act = PluginAct::kFail, .error = absl::InternalError("no")});
  EXPECT_THAT(client_->ListAndWatch()->Read(), StatusIs(absl::StatusCode::kInternal, "no"));
}

TEST_P(DevicePluginContractTest, DeathCutsTheStreamAndLaterCalls) {
  const std::unique_ptr<DeviceStream> stream = client_->ListAndWatch();
  ASSERT_OK(stream->Read());
  script().At(PluginMethod::kAllocate, 1, {.act = PluginAct::kDie});
  EXPECT_THAT(Allocate(), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kUnavailable));
  if (served_.has_value()) {
    EXPECT_OK(served_->WaitUntilDown());
  }
  EXPECT_THAT(Allocate(), StatusIs(absl::StatusCode::kUnavailable));
}

// What only a socket has.
using ServedDevicePluginContractTest = DevicePluginContractTest;

INSTANTIATE_TEST_SUITE_P(AllApis, ServedDevicePluginContractTest,
                         ::testing::Values(Kind(PluginApi::kV1Beta1), Kind(PluginApi::kV1Alpha2), Kind(PluginApi::k01)),
                         NameOf);

TEST_P(ServedDevicePluginContractTest, StoppedPluginEndsItsStreamProperlyAndIsGone) {
  const std::unique_ptr<DeviceStream> stream = client_->ListAndWatch();
  ASSERT_OK(stream->Read());
  served_->Stop();
  EXPECT_EQ(stream->Read().status(), deviceplugin::EndOfStream());
  EXPECT_FALSE(files_.Stat(served_->socket_path()).ok());
}

TEST_P(ServedDevicePluginContractTest, KilledPluginCutsItsStreamAndLeavesItsSocket) {
  const std::unique_ptr<DeviceStream> stream = client_->ListAndWatch();
  ASSERT_OK(stream->Read());
  served_->Kill();
  EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_OK(files_.Stat(served_->socket_path()));
  EXPECT_OK(served_->WaitUntilDown());
  EXPECT_THAT(Connect(), StatusIs(absl::StatusCode::kDeadlineExceeded));
}

TEST_P(ServedDevicePluginContractTest, KillCutsACallThatHangs) {
  script().At(PluginMethod::kAllocate, 1, {.held = true});
  const std::unique_ptr<Thread> caller =
      threads_.Start("caller", [this] { EXPECT_THAT(Allocate(), StatusIs(absl::StatusCode::kUnavailable)); });
  ASSERT_OK(script().WaitForCall(PluginMethod::kAllocate, 1));
  served_->Kill();
}

TEST_P(ServedDevicePluginContractTest, RestartedPluginIsThereForNewClientsWithItsDevices) {
  feed().Publish(NumberedDevices("other-", 3));
  ASSERT_OK(served_->Restart());
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<PluginClient> next, Connect());
  ASSERT_OK_AND_ASSIGN(const auto list, next->ListAndWatch()->Read());
  EXPECT_EQ(list->devices_size(), 3);
}

}  // namespace
}  // namespace kubelet_cm::fakes
