#include "kubelet_cm/pluginwatcher/plugin_info.h"

#include <string>

#include "common/status/status_matchers.h"

namespace kubelet_cm::pluginwatcher {
namespace {

using ::testing::HasSubstr;

TEST(PluginInfoTest, TheLongestNamesAreTaken) {
  EXPECT_OK(CheckPluginInfo({.type = std::string(63, 't'),
                             .name = std::string(317, 'n'),
                             .versions = std::vector<std::string>(64, std::string(253, 'v'))}));
}

TEST(PluginInfoTest, WhatIsLongerOrMoreIsRefusedByName) {
  const auto refused = [](const std::string& text) {
    return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text));
  };
  EXPECT_THAT(CheckPluginInfo({.type = std::string(64, 't')}), refused("type has 64 bytes, at most 63"));
  EXPECT_THAT(CheckPluginInfo({.name = std::string(318, 'n')}), refused("name has 318 bytes"));
  EXPECT_THAT(CheckPluginInfo({.versions = std::vector<std::string>(65, "v1")}), refused("65 versions, at most 64"));
  EXPECT_THAT(CheckPluginInfo({.versions = {"v1", std::string(254, 'v')}}), refused("supported version has 254 bytes"));
}

TEST(PluginInfoTest, TwoPluginsAreTheSameWhateverVersionsTheySpeak) {
  const PluginInfo plugin{.type = "T", .name = "n", .endpoint = "/e", .versions = {"v1"}};
  PluginInfo other = plugin;
  other.versions = {};
  EXPECT_TRUE(plugin.IsSamePluginAs(other));
  other.endpoint = "/f";
  EXPECT_FALSE(plugin.IsSamePluginAs(other));
}

}  // namespace
}  // namespace kubelet_cm::pluginwatcher
