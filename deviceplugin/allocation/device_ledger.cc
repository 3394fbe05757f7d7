#include "deviceplugin/allocation/device_ledger.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"
#include "deviceplugin/checkpoint/alloc_response.h"
#include "deviceplugin/checkpoint/entry_size.h"

namespace kubelet_cm::deviceplugin {
namespace {

// What the maps' hashes and comparisons take.
absl::string_view Key(std::string_view text) { return {text.data(), text.size()}; }

HolderKey HolderOf(const DeviceEntry& entry) {
  return {.pod_uid = entry.pod_uid, .container_name = entry.container_name, .resource_name = entry.resource_name};
}

absl::Status NoSuchReservation(ReservationId reservation) {
  return absl::NotFoundError(absl::StrCat("there is no reservation ", reservation));
}

void SortAndUnify(std::vector<std::string>* ids) {
  std::sort(ids->begin(), ids->end());
  ids->erase(std::unique(ids->begin(), ids->end()), ids->end());
}

size_t CountIds(const DeviceEntry& entry) {
  size_t count = 0;
  if (!entry.devices.has_value()) return count;
  for (const auto& [node, ids] : *entry.devices) count += ids.has_value() ? ids->size() : 0;
  return count;
}

bool IsAllUnderNodeZero(const DeviceEntry& entry) {
  return entry.devices.has_value() && entry.devices->size() == 1 && entry.devices->begin()->first == 0 &&
         CountIds(entry) > 0;
}

absl::Status CheckResponse(const DeviceEntry& entry) {
  return entry.alloc_response.has_value() ? CheckAllocResponse(*entry.alloc_response) : absl::OkStatus();
}

}  // namespace

absl::StatusOr<ReservationId> DeviceLedger::Reserve(const HolderKey& holder, absl::Span<const std::string> ids) {
  RETURN_IF_ERROR(CheckFree(holder, ids));
  const ReservationId reservation = ++last_reservation_;
  reservations_.emplace(reservation, Reservation{.holder = holder, .ids = {}});
  pods_[holder.pod_uid].reservations.push_back(reservation);
  ++resources_[holder.resource_name].users;
  RETURN_IF_ERROR(AddTo(reservation, ids));
  return reservation;
}

absl::Status DeviceLedger::AddTo(ReservationId reservation, absl::Span<const std::string> ids) {
  const auto found = reservations_.find(reservation);
  if (found == reservations_.end()) return NoSuchReservation(reservation);
  const HolderKey& holder = found->second.holder;
  RETURN_IF_ERROR(CheckFree(holder, ids));
  const DeviceHolders::PodRef pod = &pods_.find(holder.pod_uid)->first;
  Resource& resource = resources_.find(holder.resource_name)->second;
  for (const std::string& id : ids) {
    if (found->second.ids.insert(id).second) resource.Take(pod, id);
  }
  return absl::OkStatus();
}

void DeviceLedger::Release(ReservationId reservation) {
  const auto found = reservations_.find(reservation);
  if (found == reservations_.end()) return;
  const Reservation released = std::move(found->second);
  reservations_.erase(found);
  const auto pod = pods_.find(released.holder.pod_uid);
  Resource& resource = resources_.find(released.holder.resource_name)->second;
  for (const std::string& id : released.ids) resource.Drop(&pod->first, id);
  StopUsing(released.holder.resource_name);
  std::vector<ReservationId>& reservations = pod->second.reservations;
  reservations.erase(std::find(reservations.begin(), reservations.end(), reservation));
  RemovePodIfEmpty(pod);
}

absl::Status DeviceLedger::Commit(ReservationId reservation, DevicesPerNuma devices, std::string response) {
  const auto found = reservations_.find(reservation);
  if (found == reservations_.end()) return NoSuchReservation(reservation);
  for (const auto& [node, ids] : devices) {
    for (const std::string& id : ids.value_or(DeviceIds())) {
      if (found->second.ids.contains(id)) continue;
      return absl::InvalidArgumentError(absl::StrCat("device ", id, " is not of reservation ", reservation));
    }
  }
  const HolderKey holder = found->second.holder;
  PutEntry({.pod_uid = holder.pod_uid,
            .container_name = holder.container_name,
            .resource_name = holder.resource_name,
            .devices = std::move(devices),
            .alloc_response = std::move(response)},
           nullptr);
  Queue(holder);
  Release(reservation);
  return absl::OkStatus();
}

bool DeviceLedger::RemovePod(std::string_view pod_uid) {
  const auto pod = pods_.find(Key(pod_uid));
  if (pod == pods_.end() || pod->second.entries.empty()) return false;
  RemoveEntries(pod);
  return true;
}

bool DeviceLedger::RemoveEntry(const HolderKey& holder) {
  const auto pod = pods_.find(holder.pod_uid);
  if (pod == pods_.end()) return false;
  const auto entry = pod->second.entries.find({holder.container_name, holder.resource_name});
  if (entry == pod->second.entries.end()) return false;
  ForgetEntry(pod, entry->second);
  pod->second.entries.erase(entry);
  changes_.push_back({.key = holder, .entry = std::nullopt});
  RemovePodIfEmpty(pod);
  return true;
}

bool DeviceLedger::IsTaken(std::string_view resource, std::string_view id) const {
  const Resource* known = FindResource(resource);
  return known != nullptr && known->holders.IsHeld(id);
}

int64_t DeviceLedger::TakenCount(std::string_view resource) const {
  const Resource* known = FindResource(resource);
  return known == nullptr ? 0 : static_cast<int64_t>(known->holders.size());
}

std::vector<CandidateDevice> DeviceLedger::Available(std::string_view resource,
                                                     const std::shared_ptr<const DeviceList>& list) {
  const auto known = resources_.find(Key(resource));
  if (known == resources_.end()) return FreeDevices(list, DeviceHolders()).Devices();
  std::optional<FreeDevices>& free = known->second.free;
  if (!free.has_value() || &free->list() != list.get()) free.emplace(list, known->second.holders);
  return free->Devices();
}

DeviceHolders::PodRef DeviceLedger::Resource::Take(DeviceHolders::PodRef pod, std::string_view id) {
  if (free.has_value()) free->SetHeld(id, true);
  return holders.Take(pod, id);
}

void DeviceLedger::Resource::Drop(DeviceHolders::PodRef pod, std::string_view id) {
  holders.Drop(pod, id);
  if (free.has_value()) free->SetHeld(id, holders.IsHeld(id));
}

absl::btree_map<std::string, int64_t> DeviceLedger::TakenCounts() const {
  absl::btree_map<std::string, int64_t> counts;
  for (const auto& [name, resource] : resources_) counts.emplace(name, static_cast<int64_t>(resource.holders.size()));
  return counts;
}

std::vector<std::string> DeviceLedger::HoldersOfAny(std::string_view resource,
                                                    absl::Span<const std::string> ids) const {
  const Resource* known = FindResource(resource);
  if (known == nullptr) return {};
  std::vector<std::string> pods;
  for (const std::string& id : ids) {
    for (std::string& pod : known->holders.PodsOf(id)) pods.push_back(std::move(pod));
  }
  SortAndUnify(&pods);
  return pods;
}

const DeviceEntry* DeviceLedger::Find(const HolderKey& holder) const {
  const Pod* pod = FindPod(holder.pod_uid);
  if (pod == nullptr) return nullptr;
  const auto entry = pod->entries.find({holder.container_name, holder.resource_name});
  return entry == pod->entries.end() ? nullptr : &entry->second;
}

std::optional<std::vector<std::string>> DeviceLedger::IdsOf(const HolderKey& holder) const {
  const DeviceEntry* entry = Find(holder);
  if (entry == nullptr) return std::nullopt;
  return SortedIds(entry->devices);
}

std::vector<std::string> DeviceLedger::HeldBy(const HolderKey& holder) const {
  std::vector<std::string> held = IdsOf(holder).value_or(std::vector<std::string>());
  const Pod* pod = FindPod(holder.pod_uid);
  if (pod == nullptr) return held;
  for (const ReservationId id : pod->reservations) {
    const Reservation& reservation = reservations_.find(id)->second;
    if (reservation.holder == holder) held.insert(held.end(), reservation.ids.begin(), reservation.ids.end());
  }
  SortAndUnify(&held);
  return held;
}

std::optional<std::vector<std::string>> DeviceLedger::IdsOfPod(std::string_view pod_uid,
                                                               std::string_view resource) const {
  const Pod* pod = FindPod(pod_uid);
  if (pod == nullptr) return std::nullopt;
  std::optional<std::vector<std::string>> held;
  for (const auto& [key, entry] : pod->entries) {
    if (entry.resource_name != resource) continue;
    if (!held.has_value()) held.emplace();
    const std::vector<std::string_view> ids = SortedIdViews(entry.devices);
    held->insert(held->end(), ids.begin(), ids.end());
  }
  if (held.has_value()) SortAndUnify(&*held);
  return held;
}

bool DeviceLedger::HasEntries(std::string_view pod_uid) const {
  const Pod* pod = FindPod(pod_uid);
  return pod != nullptr && !pod->entries.empty();
}

std::vector<DeviceEntry> DeviceLedger::EntriesOf(std::string_view pod_uid, std::string_view container_name) const {
  std::vector<DeviceEntry> found;
  const Pod* pod = FindPod(pod_uid);
  if (pod == nullptr) return found;
  auto entry = pod->entries.lower_bound({std::string(container_name), ""});
  for (; entry != pod->entries.end() && entry->first.first == container_name; ++entry) found.push_back(entry->second);
  return found;
}

std::vector<DeviceEntry> DeviceLedger::Entries() const {
  std::vector<const Pods::value_type*> pods;
  for (const auto& pod : pods_) pods.push_back(&pod);
  std::sort(pods.begin(), pods.end(), [](const auto* a, const auto* b) { return a->first < b->first; });
  std::vector<DeviceEntry> all;
  all.reserve(entry_count_);
  for (const auto* pod : pods) {
    for (const auto& [key, entry] : pod->second.entries) all.push_back(entry);
  }
  return all;
}

std::vector<std::string> DeviceLedger::PodsWithEntries() const {
  return PodsWithEntries([](const std::string&) { return true; });
}

std::vector<std::string> DeviceLedger::PodsWithEntries(absl::FunctionRef<bool(const std::string& uid)> wanted) const {
  std::vector<std::string> uids;
  for (const auto& [uid, pod] : pods_) {
    if (!pod.entries.empty() && wanted(uid)) uids.push_back(uid);
  }
  std::sort(uids.begin(), uids.end());
  return uids;
}

std::vector<CheckpointProblem> DeviceLedger::Restore(std::vector<DeviceEntry> entries, RestoredNuma numa) {
  CHECK(pods_.empty() && changes_.empty()) << "only a new ledger is restored";
  absl::flat_hash_map<absl::string_view, size_t> sizes;
  for (const DeviceEntry& entry : entries) sizes[entry.resource_name] += CountIds(entry);
  for (const auto& [resource, size] : sizes) resources_[resource].holders.Reserve(size);

  pods_.reserve(entries.size());

  std::vector<CheckpointProblem> problems;
  std::vector<HolderKey> dropped;
  for (DeviceEntry& entry : entries) {
    if (absl::Status status = CheckResponse(entry); !status.ok()) {
      problems.push_back(
          {.kind = CheckpointProblemKind::kUnreadableAllocation,
           .text = absl::StrCat("container ", entry.container_name, " of pod ", entry.pod_uid, ": the entry for ",
                                entry.resource_name, " is dropped: ", status.message()),
           .offset = std::nullopt});
      dropped.push_back(HolderOf(entry));
      continue;
    }
    std::optional<HolderKey> assumed;
    if (numa == RestoredNuma::kAssumed || (numa == RestoredNuma::kZeroAssumed && IsAllUnderNodeZero(entry))) {
      assumed = HolderOf(entry);
    }
    PutEntry(std::move(entry), &problems);
    if (!assumed.has_value()) continue;
    auto& of_resource = resources_[assumed->resource_name].numa_assumed;
    of_resource.insert(*std::move(assumed));
  }
  absl::erase_if(resources_, [](const auto& resource) { return resource.second.users == 0; });
  // The file's text still has them, or has them in the place of an earlier entry that stays.
  for (const HolderKey& holder : dropped) Queue(holder);
  return problems;
}

size_t DeviceLedger::CorrectNumaNodes(std::string_view resource, NodesOfDevice nodes_of) {
  const auto known = resources_.find(Key(resource));
  if (known == resources_.end()) return 0;
  size_t changed = 0;
  absl::btree_set<HolderKey> incomplete;
  for (const HolderKey& holder : known->second.numa_assumed) {
    DeviceEntry& entry =
        pods_.find(holder.pod_uid)->second.entries.find({holder.container_name, holder.resource_name})->second;
    std::optional<DevicesPerNuma>& devices = entry.devices;
    if (!devices.has_value()) continue;
    Refiled refiled = RefileByNumaNode(*devices, nodes_of);
    if (!refiled.complete) incomplete.insert(holder);
    if (refiled.devices == *devices) continue;
    entry_bytes_ -= EntryBytesAtMost(entry);
    devices = std::move(refiled.devices);
    entry_bytes_ += EntryBytesAtMost(entry);
    Queue(holder);
    ++changed;
  }
  known->second.numa_assumed = std::move(incomplete);
  return changed;
}

bool DeviceLedger::AssumesNumaNodes(std::string_view resource) const {
  const Resource* known = FindResource(resource);
  return known != nullptr && !known->numa_assumed.empty();
}

const DeviceLedger::Resource* DeviceLedger::FindResource(std::string_view resource) const {
  const auto found = resources_.find(Key(resource));
  return found == resources_.end() ? nullptr : &found->second;
}

const DeviceLedger::Pod* DeviceLedger::FindPod(std::string_view pod_uid) const {
  const auto found = pods_.find(Key(pod_uid));
  return found == pods_.end() ? nullptr : &found->second;
}

absl::Status DeviceLedger::CheckFree(const HolderKey& holder, absl::Span<const std::string> ids) const {
  const Resource* resource = FindResource(holder.resource_name);
  if (resource == nullptr) return absl::OkStatus();
  for (const std::string& id : ids) {
    if (!resource->holders.IsHeldByOther(id, holder.pod_uid)) continue;
    return absl::FailedPreconditionError(absl::StrCat("reserve device ", id, " of ", holder.resource_name, " for pod ",
                                                      holder.pod_uid, ": pod ", resource->holders.PodsOf(id).front(),
                                                      " holds it"));
  }
  return absl::OkStatus();
}

void DeviceLedger::PutEntry(DeviceEntry entry, std::vector<CheckpointProblem>* problems) {
  const auto pod = pods_.try_emplace(entry.pod_uid).first;
  Resource& resource = resources_[entry.resource_name];
  ++resource.users;
  ++entry_count_;
  entry_bytes_ += EntryBytesAtMost(entry);
  for (const std::string_view id : SortedIdViews(entry.devices)) {
    const DeviceHolders::PodRef other = resource.Take(&pod->first, id);
    if (other == nullptr || problems == nullptr) continue;
    problems->push_back(
        {.kind = CheckpointProblemKind::kHeldTwice,
         .text = absl::StrCat("device ", Key(id), " of ", entry.resource_name, " is held by pod ", *other,
                              " and by container ", entry.container_name, " of pod ", entry.pod_uid),
         .offset = std::nullopt});
  }
  const auto [place, is_new] = pod->second.entries.try_emplace({entry.container_name, entry.resource_name});
  // The previous one goes last, so that its resource stays.
  if (!is_new) ForgetEntry(pod, place->second);
  place->second = std::move(entry);
}

void DeviceLedger::ForgetEntry(Pods::iterator pod, const DeviceEntry& entry) {
  Resource& resource = resources_.find(entry.resource_name)->second;
  for (const std::string_view id : SortedIdViews(entry.devices)) resource.Drop(&pod->first, id);
  resource.numa_assumed.erase(HolderOf(entry));
  --entry_count_;
  entry_bytes_ -= EntryBytesAtMost(entry);
  StopUsing(entry.resource_name);
}

void DeviceLedger::RemoveEntries(Pods::iterator pod) {
  for (const auto& [key, entry] : pod->second.entries) {
    ForgetEntry(pod, entry);
    changes_.push_back({.key = HolderOf(entry), .entry = std::nullopt});
  }
  pod->second.entries.clear();
  RemovePodIfEmpty(pod);
}

void DeviceLedger::StopUsing(std::string_view resource) {
  const auto found = resources_.find(Key(resource));
  if (--found->second.users == 0) resources_.erase(found);
}

void DeviceLedger::RemovePodIfEmpty(Pods::iterator pod) {
  if (pod->second.entries.empty() && pod->second.reservations.empty()) pods_.erase(pod);
}

void DeviceLedger::Queue(const HolderKey& key) {
  const DeviceEntry* entry = Find(key);
  changes_.push_back({.key = key, .entry = entry == nullptr ? std::nullopt : std::optional<DeviceEntry>(*entry)});
}

}  // namespace kubelet_cm::deviceplugin
