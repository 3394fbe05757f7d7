#include "deviceplugin/registration/api_versions.h"

#include <string>
#include <vector>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;

constexpr PluginApi kAll[] = {PluginApi::kV1Beta1, PluginApi::kV1Alpha2, PluginApi::k01};

auto Refuses(const std::string& text) { return StatusIs(absl::StatusCode::kInvalidArgument, text); }

TEST(ApiVersionsTest, VersionsAreThoseOfTheWire) {
  EXPECT_EQ(ParseApiVersion("v1beta1"), PluginApi::kV1Beta1);
  EXPECT_EQ(ParseApiVersion("v1alpha2"), PluginApi::kV1Alpha2);
  EXPECT_EQ(ParseApiVersion("0.1"), PluginApi::k01);
  for (const char* other : {"", "v1", "V1Beta1", "v1beta1 ", "0.10", "v1alpha1"}) {
    EXPECT_EQ(ParseApiVersion(other), std::nullopt) << other;
  }
}

TEST(ApiVersionsTest, TheTwoOldOnesShareAService) {
  EXPECT_THAT(OfferedOn(RegistrationWire::kV1Beta1, kAll), ElementsAre(PluginApi::kV1Beta1));
  EXPECT_THAT(OfferedOn(RegistrationWire::kV1Alpha, kAll), ElementsAre(PluginApi::kV1Alpha2, PluginApi::k01));
  EXPECT_THAT(OfferedOn(RegistrationWire::kV1Beta1, {PluginApi::k01}), IsEmpty());
}

TEST(ApiVersionsTest, EachKubeletRefusesAVersionInItsOwnWords) {
  EXPECT_THAT(UnsupportedVersion({PluginApi::kV1Beta1}, "v1alpha1"),
              Refuses("requested API version \"v1alpha1\" is not supported by kubelet. Supported version is "
                      "[\"v1beta1\"]"));
  EXPECT_THAT(UnsupportedVersion({PluginApi::kV1Alpha2}, "0.1"),
              Refuses("requested API version \"0.1\" is not supported by kubelet. Supported version is \"v1alpha2\""));
  EXPECT_THAT(UnsupportedVersion({PluginApi::k01}, "v1beta1"),
              Refuses("unsupported API version by the Kubelet registry"));
  EXPECT_THAT(UnsupportedVersion({PluginApi::kV1Alpha2, PluginApi::k01}, "x"),
              Refuses("requested API version \"x\" is not supported by kubelet. Supported version is "
                      "[\"v1alpha2\" \"0.1\"]"));
}

TEST(ApiVersionsTest, EachKubeletRefusesANameInItsOwnWords) {
  EXPECT_THAT(InvalidResourceName(PluginApi::kV1Beta1, "x"), Refuses("the ResourceName \"x\" is invalid"));
  EXPECT_THAT(InvalidResourceName(PluginApi::kV1Alpha2, ""), Refuses("the ResourceName \"\" is invalid"));
  EXPECT_THAT(InvalidResourceName(PluginApi::k01, "x"), Refuses("the ResourceName is invalid"));
  EXPECT_THAT(InvalidResourceName(PluginApi::k01, ""), Refuses("invalid Empty ResourceName"));
}

TEST(ApiVersionsTest, WhatComesFromOutsideIsQuotedAsGoDoes) {
  EXPECT_THAT(InvalidResourceName(PluginApi::kV1Beta1, "a\"\n\x01"),
              Refuses("the ResourceName \"a\\\"\\n\\x01\" is invalid"));
}

TEST(ApiVersionsTest, WhatIsLongIsCut) {
  EXPECT_EQ(Shortened(std::string(256, 'x')), std::string(256, 'x'));
  EXPECT_EQ(Shortened(std::string(257, 'x')), std::string(256, 'x') + "...");
  EXPECT_THAT(InvalidResourceName(PluginApi::kV1Beta1, std::string(1 << 20, 'x')),
              Refuses("the ResourceName \"" + std::string(256, 'x') + "...\" is invalid"));
}

TEST(ApiVersionsTest, TheWatcherIsToldWhichVersionsThePluginHas) {
  EXPECT_THAT(NoSupportedVersion(std::vector<std::string>{"v1", "v2"}),
              Refuses("manager version, v1beta1, is not among plugin supported versions [v1 v2]"));
  EXPECT_THAT(NoSupportedVersion({}), Refuses("manager version, v1beta1, is not among plugin supported versions []"));
  EXPECT_THAT(NoSupportedVersion(std::vector<std::string>(17, "v")),
              StatusIs(absl::StatusCode::kInvalidArgument, EndsWith("[v v v v v v v v v v v v v v v v ...]")));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
