#include "deviceplugin/allocation/device_ledger.h"

#include "common/status/status_matchers.h"
#include "deviceplugin/checkpoint/entry_size.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::Pair;
using Ids = std::vector<std::string>;

const HolderKey kHolder = {"p", "c", "r"};
const HolderKey kSamePod = {"p", "d", "r"};
const HolderKey kOtherPod = {"q", "c", "r"};

DeviceEntry EntryOf(const HolderKey& holder, DevicesPerNuma devices, std::string response = "") {
  return {holder.pod_uid, holder.container_name, holder.resource_name, std::move(devices), std::move(response)};
}

void Allocate(DeviceLedger& ledger, const HolderKey& holder, const Ids& ids, const std::string& response = "") {
  ASSERT_OK_AND_ASSIGN(const ReservationId reservation, ledger.Reserve(holder, ids));
  ASSERT_OK(ledger.Commit(reservation, {{0, ids}}, response));
}

TEST(DeviceLedgerTest, IsEmptyAtFirst) {
  DeviceLedger ledger;
  EXPECT_FALSE(ledger.KnowsResource("r"));
  EXPECT_EQ(ledger.TakenCount("r"), 0);
  EXPECT_EQ(ledger.Find(kHolder), nullptr);
  EXPECT_EQ(ledger.IdsOf(kHolder), std::nullopt);
  EXPECT_EQ(ledger.IdsOfPod("p", "r"), std::nullopt);
  EXPECT_THAT(ledger.Entries(), IsEmpty());
}

TEST(DeviceLedgerTest, WhatIsReservedIsTakenAtOnceAndIsNoEntry) {
  DeviceLedger ledger;
  ASSERT_OK(ledger.Reserve(kHolder, Ids{"a"}));
  EXPECT_TRUE(ledger.IsTaken("r", "a"));
  EXPECT_EQ(ledger.TakenCount("r"), 1);
  EXPECT_THAT(ledger.HoldersOfAny("r", {"a"}), ElementsAre("p"));
  EXPECT_EQ(ledger.Find(kHolder), nullptr);
  EXPECT_FALSE(ledger.HasEntries("p"));
  EXPECT_THAT(ledger.TakeChanges(), IsEmpty());
}

TEST(DeviceLedgerTest, TheSameIdOfAnotherResourceIsAnotherDevice) {
  DeviceLedger ledger;
  ASSERT_OK(ledger.Reserve(kHolder, Ids{"a"}));
  EXPECT_FALSE(ledger.IsTaken("s", "a"));
  EXPECT_OK(ledger.Reserve({"q", "c", "s"}, Ids{"a"}));
}

TEST(DeviceLedgerTest, ReleasingFreesTheDevicesAndAgainDoesNothing) {
  DeviceLedger ledger;
  ASSERT_OK_AND_ASSIGN(const ReservationId other, ledger.Reserve(kSamePod, Ids{"b"}));
  ASSERT_OK_AND_ASSIGN(const ReservationId reservation, ledger.Reserve(kHolder, Ids{"a", "b"}));
  ledger.Release(reservation);
  ledger.Release(reservation);
  EXPECT_FALSE(ledger.IsTaken("r", "a"));
  EXPECT_TRUE(ledger.IsTaken("r", "b"));
  ledger.Release(other);
  EXPECT_FALSE(ledger.KnowsResource("r"));
  EXPECT_EQ(ledger.reservation_count(), 0u);
  EXPECT_OK(ledger.Reserve(kOtherPod, Ids{"a", "b"}));
}

TEST(DeviceLedgerTest, ReleasingAnIdOfLongAgoDoesNotTouchANewReservation) {
  DeviceLedger ledger;
  ASSERT_OK_AND_ASSIGN(const ReservationId old, ledger.Reserve(kHolder, Ids{"a"}));
  ledger.Release(old);
  ASSERT_OK(ledger.Reserve(kHolder, Ids{"a"}));
  ledger.Release(old);
  EXPECT_TRUE(ledger.IsTaken("r", "a"));
}

TEST(DeviceLedgerTest, TwoPodsNeverHoldOneDevice) {
  DeviceLedger ledger;
  Allocate(ledger, kHolder, {"b"});
  EXPECT_THAT(ledger.Reserve(kOtherPod, Ids{"a", "b"}),
              StatusIs(absl::StatusCode::kFailedPrecondition, "reserve device b of r for pod q: pod p holds it"));
  EXPECT_FALSE(ledger.IsTaken("r", "a")) << "a refused reservation changes nothing";
  EXPECT_EQ(ledger.reservation_count(), 0u);

  ASSERT_OK_AND_ASSIGN(const ReservationId reservation, ledger.Reserve(kOtherPod, Ids{"a"}));
  EXPECT_THAT(ledger.AddTo(reservation, Ids{"c", "b"}), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_FALSE(ledger.IsTaken("r", "c")) << "a refused addition changes nothing";
}

TEST(DeviceLedgerTest, ContainersOfOnePodMayHoldOneDevice) {
  DeviceLedger ledger;
  Allocate(ledger, kHolder, {"a"});
  Allocate(ledger, kSamePod, {"a"});
  EXPECT_EQ(ledger.TakenCount("r"), 1);
  EXPECT_THAT(ledger.IdsOfPod("p", "r"), Optional(ElementsAre("a")));
}

TEST(DeviceLedgerTest, ReservationsGrow) {
  DeviceLedger ledger;
  ASSERT_OK_AND_ASSIGN(const ReservationId reservation, ledger.Reserve(kHolder, {}));
  EXPECT_TRUE(ledger.KnowsResource("r"));
  ASSERT_OK(ledger.AddTo(reservation, Ids{"a", "a"}));
  ASSERT_OK(ledger.AddTo(reservation, Ids{"b", "a"}));
  EXPECT_THAT(ledger.HeldBy(kHolder), ElementsAre("a", "b"));
  ledger.Release(reservation);
  EXPECT_EQ(ledger.TakenCount("r"), 0);
}

TEST(DeviceLedgerTest, CommittingMakesAnEntryAndQueuesIt) {
  DeviceLedger ledger;
  ASSERT_OK_AND_ASSIGN(const ReservationId reservation, ledger.Reserve(kHolder, Ids{"a", "b"}));
  const DevicesPerNuma devices = {{0, DeviceIds{"a"}}, {1, DeviceIds{"a", "b"}}};
  ASSERT_OK(ledger.Commit(reservation, devices, "bytes"));
  const DeviceEntry entry = EntryOf(kHolder, devices, "bytes");
  ASSERT_NE(ledger.Find(kHolder), nullptr);
  EXPECT_EQ(*ledger.Find(kHolder), entry);
  EXPECT_THAT(ledger.IdsOf(kHolder), Optional(ElementsAre("a", "b"))) << "ids under several nodes count once";
  EXPECT_EQ(ledger.TakenCount("r"), 2);
  EXPECT_EQ(ledger.reservation_count(), 0u);
  EXPECT_THAT(ledger.TakeChanges(), ElementsAre(LedgerChange{kHolder, entry}));
  EXPECT_THAT(ledger.TakeChanges(), IsEmpty());
}

TEST(DeviceLedgerTest, CommittingFreesWhatWasReservedInVain) {
  DeviceLedger ledger;
  ASSERT_OK_AND_ASSIGN(const ReservationId reservation, ledger.Reserve(kHolder, Ids{"a", "b"}));
  ASSERT_OK(ledger.Commit(reservation, {{-1, DeviceIds{"b"}}}, ""));
  EXPECT_FALSE(ledger.IsTaken("r", "a"));
  EXPECT_TRUE(ledger.IsTaken("r", "b"));
}

TEST(DeviceLedgerTest, CommittingReplacesTheHoldersEntry) {
  DeviceLedger ledger;
  Allocate(ledger, kHolder, {"a", "b"}, "old");
  Allocate(ledger, kHolder, {"b", "c"}, "new");
  EXPECT_THAT(ledger.IdsOf(kHolder), Optional(ElementsAre("b", "c")));
  EXPECT_EQ(ledger.Find(kHolder)->alloc_response, "new");
  EXPECT_FALSE(ledger.IsTaken("r", "a"));
  EXPECT_EQ(ledger.entry_count(), 1u);
  EXPECT_EQ(ledger.TakeChanges().size(), 2u);
}

TEST(DeviceLedgerTest, ACommitThatCannotBeChangesNothing) {
  DeviceLedger ledger;
  ASSERT_OK_AND_ASSIGN(const ReservationId reservation, ledger.Reserve(kHolder, Ids{"a"}));
  EXPECT_THAT(ledger.Commit(reservation, {{0, DeviceIds{"a", "x"}}}, ""),
              StatusIs(absl::StatusCode::kInvalidArgument, "device x is not of reservation 1"));
  EXPECT_TRUE(ledger.IsTaken("r", "a"));
  EXPECT_FALSE(ledger.IsTaken("r", "x"));
  ledger.Release(reservation);
  EXPECT_THAT(ledger.Commit(reservation, {{0, DeviceIds{"a"}}}, ""),
              StatusIs(absl::StatusCode::kNotFound, "there is no reservation 1"));
  EXPECT_THAT(ledger.AddTo(reservation, Ids{"a"}), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(ledger.TakeChanges(), IsEmpty());
}

TEST(DeviceLedgerTest, AnEntryWithoutDevicesMakesItsResourceKnown) {
  DeviceLedger ledger;
  Allocate(ledger, kHolder, {});
  EXPECT_TRUE(ledger.KnowsResource("r"));
  EXPECT_THAT(ledger.TakenCounts(), ElementsAre(Pair("r", 0)));
  EXPECT_THAT(ledger.IdsOf(kHolder), Optional(IsEmpty()));
}

TEST(DeviceLedgerTest, EntriesOfAContainerAreByResource) {
  DeviceLedger ledger;
  for (const char* resource : {"s", "r", "t"}) Allocate(ledger, {"p", "c", resource}, {"a"});
  Allocate(ledger, {"p", "c2", "r"}, {"a"});
  Allocate(ledger, {"p", "b", "r"}, {"a"});
  EXPECT_THAT(ledger.EntriesOf("p", "c"),
              ElementsAre(Field(&DeviceEntry::resource_name, "r"), Field(&DeviceEntry::resource_name, "s"),
                          Field(&DeviceEntry::resource_name, "t")));
  EXPECT_THAT(ledger.EntriesOf("p", "other"), IsEmpty());
  EXPECT_THAT(ledger.EntriesOf("other", "c"), IsEmpty());
}

TEST(DeviceLedgerTest, EntriesAreInTheOrderOfTheirKeys) {
  DeviceLedger ledger;
  const HolderKey keys[] = {{"p", "c", "r"}, {"p", "c", "s"}, {"p", "d", "r"}, {"q", "c", "r"}};
  for (const int i : {3, 1, 0, 2}) Allocate(ledger, keys[i], {});
  std::vector<HolderKey> found;
  for (const DeviceEntry& entry : ledger.Entries()) {
    found.push_back({entry.pod_uid, entry.container_name, entry.resource_name});
  }
  EXPECT_THAT(found, testing::ElementsAreArray(keys));
}

TEST(DeviceLedgerTest, APodsIdsAreTheUnionOfItsEntries) {
  DeviceLedger ledger;
  Allocate(ledger, kHolder, {"b", "a"});
  Allocate(ledger, kSamePod, {"c", "a"});
  Allocate(ledger, {"p", "c", "s"}, {"x"});
  Allocate(ledger, kOtherPod, {"y"});
  EXPECT_THAT(ledger.IdsOfPod("p", "r"), Optional(ElementsAre("a", "b", "c")));
  EXPECT_EQ(ledger.IdsOfPod("q", "s"), std::nullopt);
}

std::vector<std::string> AvailableIds(DeviceLedger& ledger, const std::shared_ptr<const DeviceList>& list) {
  std::vector<std::string> ids;
  for (const CandidateDevice& device : ledger.Available("r", list)) ids.emplace_back(device.id);
  return ids;
}

TEST(DeviceLedgerTest, WhatIsReservedOrAllocatedIsNotAvailable) {
  const auto list = DeviceList::Of({{"entry", true}, {"free", true}, {"ill", false}, {"reserved", true}});
  DeviceLedger ledger;
  EXPECT_THAT(AvailableIds(ledger, list), ElementsAre("entry", "free", "reserved"));
  Allocate(ledger, kHolder, {"entry"});
  ASSERT_OK_AND_ASSIGN(const ReservationId reservation, ledger.Reserve(kOtherPod, Ids{"reserved"}));
  EXPECT_THAT(AvailableIds(ledger, list), ElementsAre("free"));
  ledger.Release(reservation);
  EXPECT_TRUE(ledger.RemovePod("p"));
  EXPECT_THAT(AvailableIds(ledger, list), ElementsAre("entry", "free", "reserved"));
}

TEST(DeviceLedgerTest, ANewListChangesWhatIsAvailable) {
  DeviceLedger ledger;
  Allocate(ledger, kHolder, {"a"});
  EXPECT_THAT(AvailableIds(ledger, DeviceList::Of({{"a", true}, {"b", true}})), ElementsAre("b"));
  EXPECT_THAT(AvailableIds(ledger, DeviceList::Of({{"b", false}, {"c", true}})), ElementsAre("c"));
}

TEST(DeviceLedgerTest, ADeviceHeldUnderAnotherResourceIsAvailable) {
  DeviceLedger ledger;
  Allocate(ledger, {"p", "c", "other"}, {"a"});
  EXPECT_THAT(AvailableIds(ledger, DeviceList::Of({{"a", true}})), ElementsAre("a"));
}

TEST(DeviceLedgerTest, TheBytesOfTheFileAreThoseOfItsEntries) {
  DeviceLedger ledger;
  ASSERT_OK(ledger.Reserve(kHolder, Ids{"a"}));
  EXPECT_EQ(ledger.entry_bytes(), 0u);
  Allocate(ledger, kHolder, {"a", "b"}, "response");
  EXPECT_EQ(ledger.entry_bytes(), EntryBytesAtMost(*ledger.Find(kHolder)));
  Allocate(ledger, kHolder, {"c"}, "a longer response");
  EXPECT_EQ(ledger.entry_bytes(), EntryBytesAtMost(*ledger.Find(kHolder)));
  ledger.RemovePod("p");
  EXPECT_EQ(ledger.entry_bytes(), 0u);
}

TEST(DeviceLedgerTest, RemovingAPodNeverRemovesReservations) {  // kubernetes 131688, 137534
  DeviceLedger ledger;
  Allocate(ledger, kHolder, {"a"});
  ASSERT_OK_AND_ASSIGN(const ReservationId reservation, ledger.Reserve(kSamePod, Ids{"a", "b"}));
  EXPECT_TRUE(ledger.RemovePod("p"));
  EXPECT_TRUE(ledger.IsTaken("r", "a"));
  EXPECT_FALSE(ledger.RemovePod("p")) << "a pod with reservations only has nothing to remove";
  EXPECT_OK(ledger.Commit(reservation, {{0, DeviceIds{"a", "b"}}}, ""));
  EXPECT_EQ(ledger.TakenCount("r"), 2);
}

TEST(DeviceLedgerTest, RemovingAPodQueuesItsEntriesInOrder) {
  DeviceLedger ledger;
  Allocate(ledger, kSamePod, {"a"});
  Allocate(ledger, kHolder, {"a"});
  ledger.TakeChanges();
  EXPECT_TRUE(ledger.RemovePod("p"));
  EXPECT_FALSE(ledger.RemovePod("p"));
  EXPECT_FALSE(ledger.KnowsResource("r"));
  EXPECT_EQ(ledger.entry_count(), 0u);
  EXPECT_THAT(ledger.TakeChanges(),
              ElementsAre(LedgerChange{kHolder, std::nullopt}, LedgerChange{kSamePod, std::nullopt}));
}

TEST(DeviceLedgerTest, PodsAreFoundByAnyOfTheirDevicesOnceAndInOrder) {
  DeviceLedger ledger;
  Allocate(ledger, kOtherPod, {"c", "d"});
  Allocate(ledger, kHolder, {"a"});
  EXPECT_THAT(ledger.HoldersOfAny("r", Ids{"d", "x", "c", "a"}), ElementsAre("p", "q"));
  EXPECT_THAT(ledger.HoldersOfAny("r", Ids{"b"}), IsEmpty());
  EXPECT_THAT(ledger.HoldersOfAny("other", Ids{"a"}), IsEmpty());
}

TEST(DeviceLedgerTest, OneEntryCanBeRemoved) {
  DeviceLedger ledger;
  Allocate(ledger, kHolder, {"a", "b"});
  Allocate(ledger, kSamePod, {"a"});
  ledger.TakeChanges();
  EXPECT_TRUE(ledger.RemoveEntry(kHolder));
  EXPECT_FALSE(ledger.RemoveEntry(kHolder));
  EXPECT_FALSE(ledger.RemoveEntry(kOtherPod));
  EXPECT_THAT(ledger.IdsOfPod("p", "r"), Optional(ElementsAre("a")));
  EXPECT_FALSE(ledger.IsTaken("r", "b"));
  EXPECT_THAT(ledger.TakeChanges(), ElementsAre(LedgerChange{kHolder, std::nullopt}));
}

TEST(DeviceLedgerTest, PodsThatOnlyReserveHaveNoEntries) {
  DeviceLedger ledger;
  for (const char* pod : {"z", "y"}) Allocate(ledger, {pod, "c", "r"}, {pod});
  ASSERT_OK(ledger.Reserve(kHolder, Ids{"a"}));
  EXPECT_THAT(ledger.PodsWithEntries(), ElementsAre("y", "z"));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
