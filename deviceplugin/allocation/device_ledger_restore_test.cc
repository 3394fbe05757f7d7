// What a ledger makes of a checkpoint file's entries.
#include "common/status/status_matchers.h"
#include "deviceplugin/allocation/device_ledger.h"
#include "deviceplugin/checkpoint/sample_content.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Optional;
using Ids = std::vector<std::string>;

const HolderKey kHolder = {"p", "c", "r"};

DeviceEntry Entry(const std::string& pod, DevicesPerNuma devices, std::optional<std::string> response = "") {
  return {pod, "c", "r", std::move(devices), std::move(response)};
}

TEST(DeviceLedgerRestoreTest, EntriesAreTakenOverAsTheyAreAndNothingIsQueued) {
  const std::vector<DeviceEntry> entries = *SampleContent(100).entries;
  DeviceLedger ledger;
  EXPECT_THAT(ledger.Restore(entries, RestoredNuma::kKnown), IsEmpty());
  EXPECT_EQ(ledger.Entries(), entries);
  EXPECT_EQ(ledger.TakenCount("example.com/gpu"), 800);
  EXPECT_THAT(ledger.TakeChanges(), IsEmpty());
}

TEST(DeviceLedgerRestoreTest, NilsOfTheFileStay) {
  const std::vector<DeviceEntry> entries = {{"p", "c", "r", std::nullopt, std::nullopt},
                                            {"q", "c", "r", DevicesPerNuma{{0, std::nullopt}}, std::nullopt}};
  DeviceLedger ledger;
  EXPECT_THAT(ledger.Restore(entries, RestoredNuma::kAssumed), IsEmpty());
  EXPECT_EQ(ledger.Entries(), entries);
  EXPECT_THAT(ledger.IdsOf(kHolder), Optional(IsEmpty()));
  EXPECT_TRUE(ledger.RemovePod("p"));
}

TEST(DeviceLedgerRestoreTest, AnEntryWhoseResponseDoesNotParseIsDroppedAndReported) {
  DeviceLedger ledger;
  EXPECT_THAT(
      ledger.Restore({Entry("p", {{0, DeviceIds{"a"}}}, "\xff"), Entry("q", {{0, DeviceIds{"b"}}})},
                     RestoredNuma::kKnown),
      ElementsAre(CheckpointProblem{CheckpointProblemKind::kUnreadableAllocation,
                                    "container c of pod p: the entry for r is dropped: parse an allocation response "
                                    "of 1 bytes: not a ContainerAllocateResponse",
                                    std::nullopt}));
  EXPECT_FALSE(ledger.IsTaken("r", "a"));
  EXPECT_TRUE(ledger.IsTaken("r", "b"));
  EXPECT_THAT(ledger.TakeChanges(), ElementsAre(LedgerChange{kHolder, std::nullopt})) << "the file still has it";
}

TEST(DeviceLedgerRestoreTest, AResourceOfDroppedEntriesOnlyIsNotKnown) {
  DeviceLedger ledger;
  ledger.Restore({Entry("p", {{0, DeviceIds{"a"}}}, "\xff")}, RestoredNuma::kKnown);
  EXPECT_FALSE(ledger.KnowsResource("r"));
}

TEST(DeviceLedgerRestoreTest, OfTwoEntriesWithOneKeyTheLaterCounts) {
  DeviceLedger ledger;
  EXPECT_THAT(
      ledger.Restore({Entry("p", {{0, DeviceIds{"a"}}}), Entry("p", {{0, DeviceIds{"b"}}})}, RestoredNuma::kKnown),
      IsEmpty());
  EXPECT_THAT(ledger.IdsOf(kHolder), Optional(ElementsAre("b")));
  EXPECT_FALSE(ledger.IsTaken("r", "a"));
  EXPECT_EQ(ledger.entry_count(), 1u);
}

TEST(DeviceLedgerRestoreTest, AnEarlierEntryStaysWhenTheLaterOneIsDroppedAndTheFileIsToSaySo) {
  const DeviceEntry good = Entry("p", {{0, DeviceIds{"a"}}});
  DeviceLedger ledger;
  ledger.Restore({good, Entry("p", {{0, DeviceIds{"b"}}}, "\xff")}, RestoredNuma::kKnown);
  EXPECT_THAT(ledger.Entries(), ElementsAre(good));
  EXPECT_THAT(ledger.TakeChanges(), ElementsAre(LedgerChange{kHolder, good}));
}

TEST(DeviceLedgerRestoreTest, ADeviceOfTwoPodsIsReportedAndBothEntriesAreKept) {
  DeviceLedger ledger;
  EXPECT_THAT(
      ledger.Restore({Entry("p", {{0, DeviceIds{"a"}}}), Entry("q", {{0, DeviceIds{"a", "b"}}})}, RestoredNuma::kKnown),
      ElementsAre(CheckpointProblem{CheckpointProblemKind::kHeldTwice,
                                    "device a of r is held by pod p and by container c of pod q", std::nullopt}));
  EXPECT_EQ(ledger.entry_count(), 2u);
  EXPECT_EQ(ledger.TakenCount("r"), 2);
  EXPECT_THAT(ledger.HoldersOfAny("r", {"a"}), ElementsAre("p", "q"));
}

TEST(DeviceLedgerRestoreTest, ADeviceOfTwoPodsIsFreeWhenBothAreGone) {
  DeviceLedger ledger;
  ledger.Restore({Entry("p", {{0, DeviceIds{"a"}}}), Entry("q", {{0, DeviceIds{"a"}}})}, RestoredNuma::kKnown);
  EXPECT_THAT(ledger.Reserve({"p", "d", "r"}, Ids{"a"}), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_TRUE(ledger.RemovePod("p"));
  EXPECT_TRUE(ledger.IsTaken("r", "a"));
  EXPECT_THAT(ledger.HoldersOfAny("r", {"a"}), ElementsAre("q"));
  EXPECT_TRUE(ledger.RemovePod("q"));
  EXPECT_FALSE(ledger.IsTaken("r", "a"));
}

TEST(DeviceLedgerRestoreTest, ContainersOfOnePodMayShareADevice) {
  DeviceEntry other = Entry("p", {{0, DeviceIds{"a"}}});
  other.container_name = "d";
  DeviceLedger ledger;
  EXPECT_THAT(ledger.Restore({Entry("p", {{0, DeviceIds{"a"}}}), other}, RestoredNuma::kKnown), IsEmpty());
}

// Every device is on node 1; "gone" is not listed.
std::optional<absl::Span<const int>> OnNode1(std::string_view id) {
  static constexpr int kNode1[] = {1};
  if (id == "gone") return std::nullopt;
  return kNode1;
}

TEST(DeviceLedgerRestoreTest, AssumedNodesAreCorrectedWhenThePluginTellsThem) {
  DeviceLedger ledger;
  ledger.Restore({Entry("q", {{0, DeviceIds{"b"}}}), Entry("p", {{0, DeviceIds{"a"}}})}, RestoredNuma::kAssumed);
  EXPECT_TRUE(ledger.AssumesNumaNodes("r"));
  EXPECT_EQ(ledger.CorrectNumaNodes("r", OnNode1), 2u);
  const DeviceEntry p = Entry("p", {{1, DeviceIds{"a"}}});
  const DeviceEntry q = Entry("q", {{1, DeviceIds{"b"}}});
  EXPECT_THAT(ledger.Entries(), ElementsAre(p, q));
  EXPECT_THAT(ledger.TakeChanges(), ElementsAre(Field(&LedgerChange::entry, p), Field(&LedgerChange::entry, q)));
  EXPECT_TRUE(ledger.IsTaken("r", "a"));
  EXPECT_FALSE(ledger.AssumesNumaNodes("r"));
  EXPECT_EQ(ledger.CorrectNumaNodes("r", OnNode1), 0u);
}

TEST(DeviceLedgerRestoreTest, AnEntryWithADeviceThatIsNotListedIsCorrectedFurtherLater) {
  DeviceLedger ledger;
  ledger.Restore({Entry("p", {{0, DeviceIds{"a", "gone"}}})}, RestoredNuma::kAssumed);
  EXPECT_EQ(ledger.CorrectNumaNodes("r", OnNode1), 1u);
  EXPECT_EQ(ledger.Find(kHolder)->devices, (DevicesPerNuma{{0, DeviceIds{"gone"}}, {1, DeviceIds{"a"}}}));
  EXPECT_TRUE(ledger.AssumesNumaNodes("r"));
  const auto all_listed = [](std::string_view) { return OnNode1(""); };
  EXPECT_EQ(ledger.CorrectNumaNodes("r", all_listed), 1u);
  EXPECT_EQ(ledger.Find(kHolder)->devices, (DevicesPerNuma{{1, DeviceIds{"a", "gone"}}}));
}

TEST(DeviceLedgerRestoreTest, NodesThatAreRightAreNotQueued) {
  DeviceLedger ledger;
  ledger.Restore({Entry("p", {{1, DeviceIds{"a"}}})}, RestoredNuma::kAssumed);
  EXPECT_EQ(ledger.CorrectNumaNodes("r", OnNode1), 0u);
  EXPECT_FALSE(ledger.AssumesNumaNodes("r"));
  EXPECT_THAT(ledger.TakeChanges(), IsEmpty());
}

TEST(DeviceLedgerRestoreTest, KnownNodesAreNotTouched) {
  DeviceLedger ledger;
  ledger.Restore({Entry("p", {{0, DeviceIds{"a"}}})}, RestoredNuma::kKnown);
  EXPECT_FALSE(ledger.AssumesNumaNodes("r"));
  EXPECT_EQ(ledger.CorrectNumaNodes("r", OnNode1), 0u);
}

TEST(DeviceLedgerRestoreTest, WhereNodeZeroIsDoubtedEntriesThatHaveNoOtherAreCorrected) {
  DeviceLedger ledger;
  ledger.Restore({Entry("p", {{0, DeviceIds{"a"}}}), Entry("q", {{0, DeviceIds{"b"}}, {1, DeviceIds{"c"}}}),
                  Entry("s", {{-1, DeviceIds{"d"}}})},
                 RestoredNuma::kZeroAssumed);
  EXPECT_EQ(ledger.CorrectNumaNodes("r", OnNode1), 1u);
  EXPECT_EQ(ledger.Find(kHolder)->devices, (DevicesPerNuma{{1, DeviceIds{"a"}}}));
}

TEST(DeviceLedgerRestoreTest, WhatIsAllocatedAnewOrRemovedIsNoLongerAssumed) {
  DeviceLedger ledger;
  ledger.Restore({Entry("p", {{0, DeviceIds{"a"}}}), Entry("q", {{0, DeviceIds{"b"}}})}, RestoredNuma::kAssumed);
  ASSERT_OK_AND_ASSIGN(const ReservationId reservation, ledger.Reserve(kHolder, Ids{"a"}));
  ASSERT_OK(ledger.Commit(reservation, {{0, DeviceIds{"a"}}}, ""));
  ledger.RemovePod("q");
  EXPECT_FALSE(ledger.AssumesNumaNodes("r"));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
