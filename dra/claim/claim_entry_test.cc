#include "dra/claim/claim_entry.h"

#include "dra/claim/allocated_claim.h"
#include "dra/claim/claim_samples.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

StringList ListOf(std::vector<std::string> strings) {
  StringList list;
  list.Set(std::move(strings));
  return list;
}

ClaimState SampleState() {
  ClaimState state{.claim_uid = "u", .claim_name = "n", .claim_namespace = "ns", .pod_uids = {}, .driver_state = {}};
  state.pod_uids = std::set<std::string>{"p1", "p2"};
  DriverState prepared;
  prepared.devices.Set({SampleDevice("d0"), SampleDevice("d1")});
  DriverState without_devices;
  without_devices.devices.Set({});
  DriverState skipping;
  skipping.skip_node_operations = ListOf({"NodePrepareResources"});
  state.driver_state = {{"prepared", prepared}, {"unknown", {}}, {"none", without_devices}, {"skipping", skipping}};
  return state;
}

TEST(ClaimEntryTest, AStateComesBackAsItWas) {
  EXPECT_EQ(StateOf(EntryOf(SampleState(), true), false), SampleState());
  EXPECT_EQ(StateOf(EntryOf(SampleState(), false), false), SampleState());
}

TEST(ClaimEntryTest, HiddenDevicesAreNull) {
  const ClaimState state = StateOf(EntryOf(SampleState(), true), true);
  for (const auto& [name, driver] : *state.driver_state) EXPECT_TRUE(driver.devices.is_nil());
  EXPECT_EQ(state.driver_state->at("skipping").skip_node_operations, ListOf({"NodePrepareResources"}));
}

TEST(ClaimEntryTest, WithTrustADriverIsPreparedWhoseDevicesAreNotNullOrThatWantsNoCall) {
  const ClaimEntry entry = EntryOf(SampleState(), true);
  EXPECT_EQ(entry.drivers.at("prepared").phase, DriverPhase::kPrepared);
  EXPECT_EQ(entry.drivers.at("none").phase, DriverPhase::kPrepared);
  EXPECT_EQ(entry.drivers.at("skipping").phase, DriverPhase::kPrepared);
  EXPECT_EQ(entry.drivers.at("unknown").phase, DriverPhase::kReferenced);
}

TEST(ClaimEntryTest, WithoutTrustNoDriverIsPrepared) {
  const ClaimEntry entry = EntryOf(SampleState(), false);
  for (const auto& [name, driver] : entry.drivers) EXPECT_EQ(driver.phase, DriverPhase::kReferenced);
}

TEST(ClaimEntryTest, PodsThatAreNullAreNobody) {
  ClaimState state = SampleState();
  state.pod_uids.reset();
  const ClaimEntry entry = EntryOf(state, true);
  EXPECT_THAT(entry.pods, ElementsAre(kNobody));
  EXPECT_THAT(*StateOf(entry, false).pod_uids, IsEmpty());
}

TEST(ClaimEntryTest, DriversThatAreNullAreNone) {
  ClaimState state = SampleState();
  state.driver_state.reset();
  EXPECT_THAT(EntryOf(state, true).drivers, IsEmpty());
}

LegacyClaim SampleLegacyState() {
  LegacyClaim state;
  state.driver_name = "gpu";
  state.class_name = "class";
  state.claim_uid = "u";
  state.claim_name = "n";
  state.claim_namespace = "ns";
  state.pod_uids = std::set<std::string>{"p1"};
  state.resource_handles.Set({{"nic", "n", {}}, {"", "own", {}}});
  state.cdi_devices = {{"gpu", ListOf({"v/c=a", "v/c=b"})}, {"none", ListOf({})}};
  return state;
}

TEST(ClaimEntryTest, AStateOf130ComesBackAsItWas) {
  EXPECT_EQ(LegacyStateOf(EntryOf(SampleLegacyState(), true)), SampleLegacyState());
}

TEST(ClaimEntryTest, TheDriversOf130AreThoseOfHandlesAndOfCdiNames) {
  const ClaimEntry entry = EntryOf(SampleLegacyState(), true);
  EXPECT_EQ(entry.drivers.size(), 3U);
  EXPECT_EQ(entry.drivers.at("gpu").phase, DriverPhase::kPrepared);
  EXPECT_EQ(entry.drivers.at("nic").phase, DriverPhase::kReferenced);
  EXPECT_THAT(CdiIdsOf(entry.drivers.at("gpu")), ElementsAre("v/c=a", "v/c=b"));
}

TEST(ClaimEntryTest, AClaimOf127WithoutCdiNamesIsItsOwnDrivers) {
  LegacyClaim state = SampleLegacyState();
  state.resource_handles.SetNil();
  state.cdi_devices.reset();
  const ClaimEntry entry = EntryOf(state, true);
  EXPECT_EQ(entry.drivers.size(), 1U);
  EXPECT_TRUE(entry.drivers.contains("gpu"));
}

TEST(ClaimEntryTest, OperationsAreSkippedByNameOrAllAtOnce) {
  EXPECT_TRUE(Skips(ListOf({"A", "NodePrepareResources"}), kSkipPrepare));
  EXPECT_TRUE(Skips(ListOf({"*"}), kSkipPrepare));
  EXPECT_FALSE(Skips(ListOf({"NodeUnprepareResources", "Unheard"}), kSkipPrepare));
  EXPECT_FALSE(Skips({}, kSkipPrepare));
}

}  // namespace
}  // namespace kubelet_cm::dra
