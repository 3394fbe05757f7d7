#include "deviceplugin/device_rules.h"

#include <string_view>

#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

DeviceRules Of(std::string_view kubelet) { return RulesOf(**ParsePersonality(kubelet)); }

TEST(DeviceRulesTest, LatestHasNoKubeletsFaults) {
  const DeviceRules rules = Of("latest");
  EXPECT_TRUE(rules.check.trusts_running_entry);
  EXPECT_TRUE(rules.follows_init_containers);
  EXPECT_TRUE(rules.shows_unknown);
  EXPECT_TRUE(rules.writes_collected);
  EXPECT_EQ(rules.health_news, HealthNews::kAll);
  EXPECT_EQ(rules.second_plugin, SecondPlugin::kServesBeside);
}

TEST(DeviceRulesTest, NoKubeletHasWhatIsOnlyOurs) {
  for (const Personality& kubelet : AllPersonalities()) {
    const DeviceRules rules = RulesOf(kubelet);
    EXPECT_FALSE(rules.check.trusts_running_entry) << kubelet.name;
    EXPECT_FALSE(rules.follows_init_containers) << kubelet.name;
    EXPECT_FALSE(rules.shows_unknown) << kubelet.name;
    EXPECT_FALSE(rules.writes_collected) << kubelet.name;
    EXPECT_NE(rules.health_news, HealthNews::kAll) << kubelet.name;
  }
}

TEST(DeviceRulesTest, AResourceOutlivesItsPluginAndIllDevicesCountSince110) {
  EXPECT_EQ(Of("1.9").inventory.stopped_grace, kNoGrace);
  EXPECT_FALSE(Of("1.9").inventory.counts_unhealthy);
  EXPECT_EQ(Of("1.10").inventory.stopped_grace, absl::Minutes(5));
  EXPECT_TRUE(Of("1.10").inventory.counts_unhealthy);
}

TEST(DeviceRulesTest, EachWartEndsWithItsVersion) {
  EXPECT_FALSE(Of("1.18").asks_preferred);
  EXPECT_TRUE(Of("1.19").asks_preferred);
  EXPECT_FALSE(Of("1.20.15").starts_without_zeros);
  EXPECT_TRUE(Of("1.21").starts_without_zeros);
  EXPECT_TRUE(Of("1.22.17").unhealthy_allocatable);
  EXPECT_FALSE(Of("1.23").unhealthy_allocatable);
  EXPECT_FALSE(Of("1.23").late_only_if_active);
  EXPECT_TRUE(Of("1.24").late_only_if_active);
  EXPECT_FALSE(Of("1.27").cdi_names);
  EXPECT_TRUE(Of("1.28").cdi_names);
  EXPECT_TRUE(Of("1.35").every_node_has_hints);
  EXPECT_FALSE(Of("1.36").every_node_has_hints);
}

TEST(DeviceRulesTest, WhatAContainerHoldsIsLookedAtAndThatItRunsCountsSince128) {
  EXPECT_FALSE(Of("1.27").check.looks_at_held);
  EXPECT_FALSE(Of("1.27").check.trusts_running);
  EXPECT_TRUE(Of("1.28").check.looks_at_held);
  EXPECT_TRUE(Of("1.28").check.trusts_running);
}

TEST(DeviceRulesTest, SidecarsKeepTheirDevicesSince129) {
  EXPECT_EQ(Of("1.28").sidecars, SidecarDevices::kForTheOthers);
  EXPECT_EQ(Of("1.29").sidecars, SidecarDevices::kItsOwn);
}

TEST(DeviceRulesTest, ASecondPluginTookThePlaceOfTheFirstUntil124AndSharedItsFateUntil136) {
  EXPECT_EQ(Of("1.24").second_plugin, SecondPlugin::kTakesItsPlace);
  EXPECT_EQ(Of("1.25").second_plugin, SecondPlugin::kSharesItsFate);
  EXPECT_EQ(Of("1.36").second_plugin, SecondPlugin::kSharesItsFate);
  EXPECT_EQ(Of("1.37").second_plugin, SecondPlugin::kServesBeside);
}

TEST(DeviceRulesTest, HealthIsNewsSince131AndOfTheRightResourceSince137) {
  EXPECT_EQ(Of("1.30").health_news, HealthNews::kNone);
  EXPECT_EQ(Of("1.31").health_news, HealthNews::kOfListedByAnybodysName);
  EXPECT_EQ(Of("1.36").health_news, HealthNews::kOfListedByAnybodysName);
  EXPECT_EQ(Of("1.37").health_news, HealthNews::kOfListed);
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
