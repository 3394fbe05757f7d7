#include "deviceplugin/registration/watcher_handler.h"

#include <string>
#include <vector>

#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "deviceplugin/registration/recording_handler.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr char kGpu[] = "example.com/gpu";
const std::vector<std::string> kVersions = {"v2", "v1beta1"};

class WatcherHandlerTest : public ::testing::Test {
 protected:
  absl::Status Validate(const std::string& name, const std::vector<std::string>& versions) {
    return watcher_.ValidatePlugin(name, "/x/gpu.sock", versions);
  }

  RecordingHandler handler_;
  CapturingLogger log_;
  WatcherHandler watcher_{handler_, log_};
};

TEST_F(WatcherHandlerTest, OneSupportedVersionIsEnough) { EXPECT_OK(Validate(kGpu, kVersions)); }

TEST_F(WatcherHandlerTest, APluginWithoutASupportedVersionIsRefused) {
  EXPECT_THAT(Validate(kGpu, {"v1", "v1alpha2"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       std::string("manager version, v1beta1, is not among plugin supported versions [v1 v1alpha2]")));
}

TEST_F(WatcherHandlerTest, APluginWithABadNameIsRefused) {
  EXPECT_THAT(Validate("gpu", kVersions),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       std::string("invalid name of device plugin socket: the ResourceName \"gpu\" is invalid")));
}

TEST_F(WatcherHandlerTest, TheVersionIsCheckedBeforeTheName) {
  EXPECT_THAT(Validate("gpu", {}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("manager version")));
}

TEST_F(WatcherHandlerTest, APluginsSocketMayBeAnywhere) {
  EXPECT_OK(watcher_.RegisterPlugin(kGpu, "/opt/plugins/gpu.sock", kVersions));
  EXPECT_THAT(handler_.registered(),
              ElementsAre(RegisterPlugin{PluginApi::kV1Beta1, kGpu, "gpu.sock", "/opt/plugins/gpu.sock"}));
}

TEST_F(WatcherHandlerTest, WhatIsNoSocketsPathIsNotDialled) {
  for (const std::string& path : {std::string("gpu.sock"), std::string(), "/" + std::string(107, 'x')}) {
    EXPECT_THAT(watcher_.RegisterPlugin(kGpu, path, kVersions), StatusIs(absl::StatusCode::kInvalidArgument));
  }
  EXPECT_THAT(handler_.registered(), IsEmpty());
}

TEST_F(WatcherHandlerTest, WhatDoesNotValidateIsNotRegistered) {
  EXPECT_THAT(watcher_.RegisterPlugin("gpu", "/x/gpu.sock", kVersions), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(handler_.registered(), IsEmpty());
}

TEST_F(WatcherHandlerTest, TheHandlersErrorIsPassedOn) {
  handler_.Answer([] { return absl::UnavailableError("failed to dial device plugin: x"); });
  EXPECT_THAT(watcher_.RegisterPlugin(kGpu, "/x/gpu.sock", kVersions), StatusIs(absl::StatusCode::kUnavailable));
}

TEST_F(WatcherHandlerTest, DeregisteringNamesResourceAndSocket) {
  watcher_.DeregisterPlugin(kGpu, "/x/gpu.sock");
  EXPECT_THAT(handler_.deregistered(), ElementsAre(Pair(kGpu, "/x/gpu.sock")));
}

TEST_F(WatcherHandlerTest, EachStepIsLoggedAsKubeletsDo) {
  ASSERT_OK(Validate(kGpu, kVersions));
  ASSERT_OK(watcher_.RegisterPlugin(kGpu, "/x/gpu.sock", kVersions));
  watcher_.DeregisterPlugin(kGpu, "/x/gpu.sock");
  const auto line = [](std::string_view message) {
    return AllOf(IsLogLine(Severity::kInfo, message), HasLogField("plugin", kGpu),
                 HasLogField("endpoint", "/x/gpu.sock"));
  };
  EXPECT_THAT(log_.lines(),
              ElementsAre(AllOf(line("Got plugin at endpoint with versions"), HasLogField("versions", HasSubstr("v2"))),
                          line("Device plugin validated"), line("Registering plugin at endpoint"),
                          line("Deregistering plugin")));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
