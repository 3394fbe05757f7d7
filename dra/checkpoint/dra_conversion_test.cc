#include "dra/checkpoint/dra_conversion.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;

LegacyClaimList OldClaims(LegacyClaim claim) {
  claim.claim_name = "c1";
  claim.claim_namespace = "ns";
  LegacyClaimList claims;
  claims.Set({std::move(claim)});
  return claims;
}

ClaimList NewClaims(std::map<std::string, DriverState> drivers) {
  ClaimList claims;
  claims.Set(
      {{.claim_uid = "u", .claim_name = "c1", .claim_namespace = "ns", .pod_uids = {}, .driver_state = drivers}});
  return claims;
}

DriverState WithDevice(ClaimDevice device) {
  DriverState state;
  state.devices.Set({std::move(device)});
  return state;
}

StringList Strings(std::vector<std::string> strings) {
  StringList list;
  list.Set(std::move(strings));
  return list;
}

TEST(DraConversionTest, CdiNamesBecomeOneDeviceForEveryRequest) {
  LegacyClaim old;
  old.cdi_devices = {{"a", Strings({"x=1", "x=2"})}, {"b", Strings({})}};
  const ConvertedClaims converted = FromLegacyClaims(OldClaims(old));
  const auto& drivers = *converted.claims[0].driver_state;
  ASSERT_EQ(drivers.at("a").devices.size(), 1u);
  EXPECT_THAT(drivers.at("a").devices[0].cdi_device_ids, ElementsAre("x=1", "x=2"));
  EXPECT_TRUE(drivers.at("a").devices[0].request_names.empty());
  EXPECT_TRUE(drivers.at("b").devices.empty());
  EXPECT_THAT(converted.losses, ElementsAre(HasSubstr("CDI names become one device")));
}

TEST(DraConversionTest, EveryDriverThatMustUnprepareKeepsItsPlace) {
  LegacyClaim old;
  old.driver_name = "main";
  old.resource_handles.Set({{.driver_name = "other", .data = "d", .structured_data = {}}, {}});
  EXPECT_THAT(*FromLegacyClaims(OldClaims(old)).claims[0].driver_state, ElementsAre(Key("main"), Key("other")));
  old.resource_handles.SetNil();
  EXPECT_THAT(*FromLegacyClaims(OldClaims(old)).claims[0].driver_state, ElementsAre(Key("main")));
}

TEST(DraConversionTest, LossesNameTheClaimAndWhatIsGone) {
  LegacyClaim old;
  old.class_name = "gold";
  old.resource_handles.Set({{.driver_name = "other", .data = "d", .structured_data = {}}});
  EXPECT_THAT(FromLegacyClaims(OldClaims(old)).losses,
              ElementsAre("claim ns/c1: its class gold has no place since 1.31", HasSubstr("1 resource handle,")));
}

TEST(DraConversionTest, GoingBackGathersCdiNamesAndMakesHandles) {
  const ClaimList claims = NewClaims({{"b", WithDevice({.pool_name = "p",
                                                        .device_name = "d",
                                                        .share_id = {},
                                                        .request_names = {},
                                                        .cdi_device_ids = Strings({"x=1"})})},
                                      {"a", {}}});
  const ConvertedLegacyClaims old = ToLegacyClaims(claims, DraFormat::k128);
  EXPECT_EQ(old.claims[0].driver_name, "a");
  ASSERT_EQ(old.claims[0].resource_handles.size(), 2u);
  EXPECT_EQ(old.claims[0].resource_handles[1].driver_name, "b");
  EXPECT_THAT(*old.claims[0].cdi_devices, ElementsAre(Key("b")));
  EXPECT_THAT(old.losses, ElementsAre(HasSubstr("the pools and names of 1 device;")));
  EXPECT_TRUE(ToLegacyClaims(claims, DraFormat::k127).claims[0].resource_handles.is_nil());
}

TEST(DraConversionTest, LegacyClaimsSurviveTheWayThereAndBack) {
  LegacyClaim old;
  old.driver_name = "a";
  old.claim_uid = "u";
  old.pod_uids = {{"p"}};
  old.resource_handles.Set({{.driver_name = "a", .data = "", .structured_data = {}}});
  old.cdi_devices = {{"a", Strings({"x=1"})}};
  const LegacyClaimList claims = OldClaims(old);
  EXPECT_TRUE(ToLegacyClaims(FromLegacyClaims(claims).claims, DraFormat::k128).claims == claims);
  EXPECT_TRUE(ToLegacyClaims(FromLegacyClaims({}).claims, DraFormat::k128).claims.is_nil());
}

TEST(DraConversionTest, LaterFieldsAreMissedInEarlierVersions) {
  DriverState state =
      WithDevice({.pool_name = "p", .device_name = "d", .share_id = "s", .request_names = {}, .cdi_device_ids = {}});
  state.skip_node_operations = Strings({"*"});
  const ClaimList claims = NewClaims({{"drv", state}});
  EXPECT_THAT(LostInFormat(claims, DraFormat::k137), IsEmpty());
  EXPECT_THAT(LostInFormat(claims, DraFormat::k135), ElementsAre(HasSubstr("skip, known since 1.37, for drv")));
  EXPECT_THAT(LostInFormat(claims, DraFormat::k131),
              ElementsAre(HasSubstr("share ids of 1 device"), HasSubstr("skip")));
}

TEST(DraConversionTest, HandlesAreMissedBeforeTheirVersion) {
  LegacyClaim old;
  old.resource_handles.Set({{.driver_name = "a", .data = "", .structured_data = StructuredHandle()}});
  const LegacyClaimList claims = OldClaims(old);
  EXPECT_THAT(LostInFormat(claims, DraFormat::k130), IsEmpty());
  EXPECT_THAT(LostInFormat(claims, DraFormat::k128), ElementsAre(HasSubstr("structured data of 1 resource handle")));
  EXPECT_THAT(LostInFormat(claims, DraFormat::k127), ElementsAre(HasSubstr("1 resource handle, known since 1.28")));
}

}  // namespace
}  // namespace kubelet_cm::dra
