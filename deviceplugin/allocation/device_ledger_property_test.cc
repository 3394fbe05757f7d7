// Long random sequences on a ledger, held against a model that keeps plain lists and looks at all of them every time.
// D1: no device is held by two pods. D7: when everything is gone, nothing is held or known.
#include <map>
#include <random>
#include <set>

#include "absl/strings/str_cat.h"
#include "common/status/status_matchers.h"
#include "deviceplugin/allocation/device_ledger.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using Ids = std::vector<std::string>;
using IdSet = std::set<std::string>;

constexpr int kPods = 4;
constexpr int kContainers = 3;
constexpr int kDevices = 8;

struct Model {
  std::map<HolderKey, IdSet> entries;
  std::map<ReservationId, std::pair<HolderKey, IdSet>> reservations;

  IdSet PodsOf(const std::string& resource, const std::string& id) const {
    IdSet pods;
    for (const auto& [key, ids] : entries) {
      if (key.resource_name == resource && ids.contains(id)) pods.insert(key.pod_uid);
    }
    for (const auto& [reservation, held] : reservations) {
      if (held.first.resource_name == resource && held.second.contains(id)) pods.insert(held.first.pod_uid);
    }
    return pods;
  }
  bool IsFreeFor(const HolderKey& holder, const Ids& ids) const {
    return std::all_of(ids.begin(), ids.end(), [&](const std::string& id) {
      const IdSet pods = PodsOf(holder.resource_name, id);
      return pods.empty() || pods == IdSet{holder.pod_uid};
    });
  }
};

class Sequence {
 public:
  explicit Sequence(uint32_t seed) : random_(seed) {}

  void Step() {
    switch (Draw(7)) {
      case 0:
      case 1:
        return Reserve();
      case 2:
        return AddTo();
      case 3:
        return Release();
      case 4:
      case 5:
        return Commit();
      default:
        return Draw(3) == 0 ? RemoveEntry() : RemovePod();
    }
  }

  void CheckEqual() {
    for (const LedgerChange& change : ledger_.TakeChanges()) {
      if (change.entry.has_value()) {
        file_[change.key] = *change.entry;
      } else {
        EXPECT_EQ(file_.erase(change.key), 1u) << "what is removed was there";
      }
    }
    std::vector<DeviceEntry> in_file;
    for (const auto& [key, entry] : file_) in_file.push_back(entry);
    EXPECT_EQ(ledger_.Entries(), in_file) << "the changes in their order make the ledger's content";
    ASSERT_EQ(ledger_.entry_count(), model_.entries.size());
    ASSERT_EQ(ledger_.reservation_count(), model_.reservations.size());
    for (const auto& [key, ids] : model_.entries) ASSERT_EQ(ledger_.IdsOf(key), Ids(ids.begin(), ids.end()));
    for (const char* resource : {"r", "s"}) CheckResource(resource);
  }

  void EndAll() {
    while (!model_.reservations.empty()) Release();
    for (int i = 0; i < kPods; ++i) ledger_.RemovePod(absl::StrCat("pod", i));
    model_.entries.clear();
    CheckEqual();
    EXPECT_FALSE(ledger_.KnowsResource("r") || ledger_.KnowsResource("s"));
  }

 private:
  void CheckResource(const std::string& resource) {
    if (Draw(10) == 0) list_ = ListOfAll();
    const std::vector<CandidateDevice> available = ledger_.Available(resource, list_);
    IdSet free;
    for (const CandidateDevice& device : available) free.emplace(device.id);
    int64_t taken = 0;
    for (int i = 0; i < kDevices; ++i) {
      const std::string id = absl::StrCat(i);
      const IdSet pods = model_.PodsOf(resource, id);
      ASSERT_LE(pods.size(), 1u);
      ASSERT_EQ(ledger_.HoldersOfAny(resource, {id}), Ids(pods.begin(), pods.end()));
      ASSERT_EQ(ledger_.IsTaken(resource, id), !pods.empty());
      ASSERT_EQ(free.contains(id), pods.empty());
      if (!pods.empty()) ++taken;
    }
    ASSERT_EQ(ledger_.TakenCount(resource), taken);
  }

  void Reserve() {
    const HolderKey holder = DrawHolder();
    const Ids ids = DrawIds();
    const auto reservation = ledger_.Reserve(holder, ids);
    ASSERT_EQ(reservation.ok(), model_.IsFreeFor(holder, ids)) << reservation.status();
    if (reservation.ok()) model_.reservations[*reservation] = {holder, IdSet(ids.begin(), ids.end())};
  }

  void AddTo() {
    if (model_.reservations.empty()) return;
    auto& [id, held] = *DrawReservation();
    const Ids ids = DrawIds();
    const absl::Status status = ledger_.AddTo(id, ids);
    ASSERT_EQ(status.ok(), model_.IsFreeFor(held.first, ids)) << status;
    if (status.ok()) held.second.insert(ids.begin(), ids.end());
  }

  void Release() {
    if (model_.reservations.empty()) return;
    const auto reservation = DrawReservation();
    ledger_.Release(reservation->first);
    model_.reservations.erase(reservation);
  }

  void Commit() {
    if (model_.reservations.empty()) return;
    const auto reservation = DrawReservation();
    const auto& [holder, reserved] = reservation->second;
    DevicesPerNuma devices;
    IdSet used;
    for (const std::string& id : reserved) {
      if (Draw(4) == 0) continue;
      used.insert(id);
      for (int node = -1; node < Draw(3); ++node) {
        std::optional<DeviceIds>& ids = devices[node];
        if (!ids.has_value()) ids.emplace();
        ids->push_back(id);
      }
    }
    ASSERT_OK(ledger_.Commit(reservation->first, devices, absl::StrCat("response", Draw(9))));
    model_.entries[holder] = SortedIdSet(devices);
    model_.reservations.erase(reservation);
  }

  void RemovePod() {
    const std::string pod = absl::StrCat("pod", Draw(kPods));
    const bool had = std::erase_if(model_.entries, [&](const auto& entry) { return entry.first.pod_uid == pod; }) > 0;
    ASSERT_EQ(ledger_.RemovePod(pod), had);
  }

  void RemoveEntry() {
    const HolderKey holder = DrawHolder();
    ASSERT_EQ(ledger_.RemoveEntry(holder), model_.entries.erase(holder) > 0);
  }

  static IdSet SortedIdSet(const DevicesPerNuma& devices) {
    const Ids ids = SortedIds(devices);
    return IdSet(ids.begin(), ids.end());
  }
  int Draw(int bound) { return static_cast<int>(random_() % static_cast<uint32_t>(bound)); }
  HolderKey DrawHolder() {
    return {absl::StrCat("pod", Draw(kPods)), absl::StrCat("c", Draw(kContainers)), Draw(3) == 0 ? "s" : "r"};
  }
  Ids DrawIds() {
    Ids ids;
    for (int i = Draw(4); i > 0; --i) ids.push_back(absl::StrCat(Draw(kDevices)));
    return ids;
  }
  std::map<ReservationId, std::pair<HolderKey, IdSet>>::iterator DrawReservation() {
    return std::next(model_.reservations.begin(), Draw(static_cast<int>(model_.reservations.size())));
  }

  std::mt19937 random_;
  static std::shared_ptr<const DeviceList> ListOfAll() {
    std::vector<ListedDevice> devices;
    for (int i = 0; i < kDevices; ++i) devices.push_back({.id = absl::StrCat(i), .healthy = true});
    return DeviceList::Of(std::move(devices));
  }

  std::shared_ptr<const DeviceList> list_ = ListOfAll();
  DeviceLedger ledger_;
  Model model_;
  std::map<HolderKey, DeviceEntry> file_;
};

class DeviceLedgerPropertyTest : public ::testing::TestWithParam<uint32_t> {};

TEST_P(DeviceLedgerPropertyTest, AgreesWithThePlainModelAfterEveryStep) {
  Sequence sequence(GetParam());
  for (int step = 0; step < 250 && !HasFailure(); ++step) {
    SCOPED_TRACE(absl::StrCat("step ", step));
    sequence.Step();
    sequence.CheckEqual();
  }
  sequence.EndAll();
}

INSTANTIATE_TEST_SUITE_P(Seeds, DeviceLedgerPropertyTest, ::testing::Range(1u, 11u));

}  // namespace
}  // namespace kubelet_cm::deviceplugin
