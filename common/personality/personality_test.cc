#include "common/personality/personality.h"

#include "common/status/status_matchers.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Personality& As(std::string_view version) { return **ParsePersonality(version); }

TEST(PersonalityTest, TheUpgradeThatLostDevicesReadsOnlyWhatItWrites) {  // k/k#102880
  EXPECT_THAT(As("1.19.16").device_reads, ElementsAre(DeviceFormat::kV1));
  EXPECT_THAT(As("1.20.0").device_reads, ElementsAre(DeviceFormat::kV2));
  EXPECT_THAT(As("1.20.15").device_reads, ElementsAre(DeviceFormat::kV2, DeviceFormat::kV1));
}

TEST(PersonalityTest, TheReaderOfV1CameBackInPatchReleasesAndWentIn131) {
  EXPECT_FALSE(As("1.20.13").Reads(DeviceFormat::kV1));
  EXPECT_TRUE(As("1.20.14").Reads(DeviceFormat::kV1));
  EXPECT_FALSE(As("1.21.7").Reads(DeviceFormat::kV1));
  EXPECT_TRUE(As("1.21.8").Reads(DeviceFormat::kV1));
  EXPECT_FALSE(As("1.22.4").Reads(DeviceFormat::kV1));
  EXPECT_TRUE(As("1.22.5").Reads(DeviceFormat::kV1));
  EXPECT_TRUE(As("1.30.14").Reads(DeviceFormat::kV1));
  EXPECT_FALSE(As("1.31.0").Reads(DeviceFormat::kV1));
}

TEST(PersonalityTest, DevicesWithoutTopologyMovedFromNodeZeroToMinusOne) {
  EXPECT_EQ(As("1.22.17").no_topology_key, 0);
  EXPECT_EQ(As("1.23").no_topology_key, -1);
}

TEST(PersonalityTest, EachKubeletOffersOneDevicePluginProtocolAndLatestAll) {
  EXPECT_THAT(As("1.8.15").device_plugin_versions, ElementsAre("0.1"));
  EXPECT_THAT(As("1.9.0").device_plugin_versions, ElementsAre("v1alpha2"));
  for (const char* version : {"1.10", "1.19", "1.20.0", "1.20.15", "1.30", "1.37"}) {
    EXPECT_THAT(As(version).device_plugin_versions, ElementsAre("v1beta1")) << version;
  }
  EXPECT_THAT(As("latest").device_plugin_versions, ElementsAre("v1beta1", "v1alpha2", "0.1"));
}

TEST(PersonalityTest, CdiNamesOfDevicesAreAnnotationsToo128To131) {
  for (const char* version : {"1.28", "1.29.3", "1.30", "1.31.9"}) EXPECT_TRUE(As(version).device_cdi_annotations);
  for (const char* version : {"1.27", "1.32", "1.37", "latest"}) EXPECT_FALSE(As(version).device_cdi_annotations);
}

TEST(PersonalityTest, DriversRegisterWithVersionsUntil131AndWithServicesSince) {
  for (const Personality& row : AllPersonalities()) {
    EXPECT_TRUE(row.dra_offer.services.empty() || row.dra_offer.versioned_api.empty()) << row.name;
    EXPECT_EQ(row.dra_offer.none(), row.first.minor < 26) << row.name;
  }
  EXPECT_EQ(As("1.26").dra_offer.versioned_api, "v1alpha1");
  EXPECT_EQ(As("1.27").dra_offer.versioned_api, "v1alpha2");
  EXPECT_EQ(As("1.28").dra_offer.versioned_api, "v1alpha3");
  EXPECT_EQ(As("1.30").dra_offer.versioned_api, "v1alpha3");
  EXPECT_EQ(As("1.31").dra_offer.versioned_api, "v1alpha4");
  EXPECT_THAT(As("1.33").dra_offer.services, ElementsAre("v1beta1.DRAPlugin", "v1alpha3.NodeService"));
  EXPECT_THAT(As("1.34").dra_offer.services, ElementsAre("v1.DRAPlugin", "v1beta1.DRAPlugin"));
  EXPECT_THAT(As("latest").dra_offer.services,
              ElementsAre("v1.DRAPlugin", "v1beta1.DRAPlugin", "v1alpha3.NodeService"));
}

TEST(PersonalityTest, DriversThatNameNoKnownServiceAreRefusedSince134) {
  EXPECT_EQ(As("1.33").dra_offer.fallback_service, "v1alpha3.NodeService");
  for (const char* version : {"1.34", "1.37", "latest"}) EXPECT_EQ(As(version).dra_offer.fallback_service, "");
}

TEST(PersonalityTest, OrderOfDriversDecidesSince134AndNotInOurs) {
  for (const char* version : {"1.34", "1.37"}) EXPECT_TRUE(As(version).dra_offer.driver_order_decides) << version;
  for (const char* version : {"1.33", "latest"}) EXPECT_FALSE(As(version).dra_offer.driver_order_decides) << version;
}

TEST(PersonalityTest, HealthIsTriedWithEveryDriverUntil136AndNegotiatedSince) {
  EXPECT_THAT(As("1.33").dra_offer.health_services, ElementsAre());
  EXPECT_THAT(As("1.36").dra_offer.health_services, ElementsAre("v1alpha1.DRAResourceHealth"));
  EXPECT_THAT(As("1.37").dra_offer.health_services, ElementsAre("v1.DRAResourceHealth", "v1alpha1.DRAResourceHealth"));
  EXPECT_TRUE(As("1.34").dra_offer.health_unasked);
  EXPECT_FALSE(As("1.37").dra_offer.health_unasked);
}

TEST(PersonalityTest, SlicesGoAtOnceSince131AfterHalfAMinuteSince133AndWithTheConnectionSince134) {
  for (const char* version : {"1.25", "1.26", "1.30"}) {
    EXPECT_EQ(As(version).dra_drivers.wipe_delay, std::nullopt) << version;
  }
  for (const char* version : {"1.31", "1.32"}) {
    EXPECT_EQ(As(version).dra_drivers.wipe_delay, absl::ZeroDuration()) << version;
    EXPECT_FALSE(As(version).dra_drivers.several_instances) << version;
  }
  for (const char* version : {"1.33", "1.34", "1.37", "latest"}) {
    EXPECT_EQ(As(version).dra_drivers.wipe_delay, absl::Seconds(30)) << version;
    EXPECT_TRUE(As(version).dra_drivers.several_instances) << version;
    EXPECT_EQ(As(version).dra_drivers.monitors_connections, std::string_view(version) != "1.33") << version;
  }
}

TEST(PersonalityTest, ADriverHasASecondToConnectFrom129To133) {
  for (const char* version : {"1.29", "1.30", "1.31", "1.33"}) {
    EXPECT_EQ(As(version).dra_drivers.connect_limit, absl::Seconds(1)) << version;
  }
  for (const char* version : {"1.28", "1.34", "latest"}) {
    EXPECT_EQ(As(version).dra_drivers.connect_limit, std::nullopt) << version;
  }
}

TEST(PersonalityTest, Kubelet128DidNotRememberWhichDriversAreOld) {
  EXPECT_FALSE(As("1.28").dra_drivers.remembers_fallback);
  EXPECT_TRUE(As("1.29").dra_drivers.remembers_fallback);
}

TEST(PersonalityTest, ClaimsOf128And130AreNotReadByEachOther) {
  EXPECT_FALSE(As("1.30").Reads(DraFormat::k128));
  EXPECT_FALSE(As("1.29").Reads(DraFormat::k130));
  EXPECT_TRUE(As("1.30").Reads(DraFormat::k127));
}

TEST(PersonalityTest, ClaimsSince131AreReadInBothDirectionsAndNoOlderOnes) {
  for (const char* version : {"1.31", "1.34", "1.36", "1.37", "1.50"}) {
    EXPECT_TRUE(As(version).Reads(DraFormat::k131)) << version;
    EXPECT_TRUE(As(version).Reads(DraFormat::k137)) << version;
    EXPECT_FALSE(As(version).Reads(DraFormat::k130)) << version;
  }
}

TEST(PersonalityTest, ClaimsAreNotKeptBefore127) {
  EXPECT_FALSE(As("1.26").dra_writes.has_value());
  EXPECT_EQ(As("1.27").dra_writes, DraFormat::k127);
}

TEST(PersonalityTest, UnreadableDevicesAreForgottenAndUnreadableClaimsAreFatal) {
  for (const Personality& row : AllPersonalities()) {
    EXPECT_EQ(row.device_unreadable, OnUnreadable::kStartEmpty) << row.name;
    EXPECT_EQ(row.dra_unreadable, OnUnreadable::kRefuseToStart) << row.name;
  }
}

TEST(PersonalityTest, EveryReleaseSince18HasOneRow) {
  for (int minor = 8; minor < 60; ++minor) {
    for (int patch = 0; patch < 30; ++patch) {
      const KubeletVersion version{1, minor, patch};
      int rows = 0;
      for (const Personality& row : AllPersonalities()) rows += row.first <= version && version <= row.last;
      ASSERT_EQ(rows, 1) << version.ToString();
    }
  }
  EXPECT_THAT(PersonalityOf({1, 7, 0}), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("1.8")));
}

TEST(PersonalityTest, EveryRowReadsWhatItWrites) {
  for (const Personality& row : AllPersonalities()) {
    EXPECT_TRUE(row.Reads(*row.device_writes)) << row.name;
    EXPECT_TRUE(!row.dra_writes || row.Reads(*row.dra_writes)) << row.name;
  }
}

TEST(PersonalityTest, LatestReadsAllAndWritesTheNewest) {
  EXPECT_EQ(LatestPersonality().device_reads.size(), 4u);
  EXPECT_EQ(LatestPersonality().dra_reads.size(), 6u);
  EXPECT_EQ(LatestPersonality().device_writes, DeviceFormat::kV2);
  EXPECT_EQ(LatestPersonality().dra_writes, DraFormat::k137);
  EXPECT_EQ(&As("latest"), &LatestPersonality());
}

TEST(FormatNameTest, NamesAreReadBack) {
  for (const DeviceFormat format : LatestPersonality().device_reads) {
    EXPECT_THAT(ParseDeviceFormat(FormatName(format)), IsOkAndHolds(format));
  }
  for (const DraFormat format : LatestPersonality().dra_reads) {
    EXPECT_THAT(ParseDraFormat(FormatName(format)), IsOkAndHolds(format));
  }
  EXPECT_THAT(ParseDeviceFormat("v1"), IsOkAndHolds(DeviceFormat::kV1));
  EXPECT_THAT(ParseDraFormat("dra-1.28"), IsOkAndHolds(DraFormat::k128));
  EXPECT_THAT(ParseDeviceFormat("v3"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("v0-1.8, v0-1.9, v1, v2")));
}

}  // namespace
}  // namespace kubelet_cm
