#include "deviceplugin/registration/watcher_handler.h"

#include <string>
#include <vector>

#include "common/status/status_matchers.h"
#include "deviceplugin/registration/recording_handler.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr char kGpu[] = "example.com/gpu";
const std::vector<std::string> kVersions = {"v2", "v1beta1"};

class WatcherHandlerTest : public ::testing::Test {
 protected:
  RecordingHandler handler_;
  WatcherHandler watcher_{handler_};
};

TEST_F(WatcherHandlerTest, OneSupportedVersionIsEnough) { EXPECT_OK(watcher_.ValidatePlugin(kGpu, kVersions)); }

TEST_F(WatcherHandlerTest, APluginWithoutASupportedVersionIsRefused) {
  EXPECT_THAT(watcher_.ValidatePlugin(kGpu, std::vector<std::string>{"v1", "v1alpha2"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       std::string("manager version, v1beta1, is not among plugin supported versions [v1 v1alpha2]")));
}

TEST_F(WatcherHandlerTest, APluginWithABadNameIsRefused) {
  EXPECT_THAT(watcher_.ValidatePlugin("gpu", kVersions),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       std::string("invalid name of device plugin socket: the ResourceName \"gpu\" is invalid")));
}

TEST_F(WatcherHandlerTest, TheVersionIsCheckedBeforeTheName) {
  EXPECT_THAT(watcher_.ValidatePlugin("gpu", {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("manager version")));
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

}  // namespace
}  // namespace kubelet_cm::deviceplugin
