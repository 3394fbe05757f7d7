#include "dra/claim/claim_store.h"

namespace kubelet_cm::dra {
namespace {

DeviceName NameOf(const std::string& driver, const ClaimDevice& device) {
  return {driver, device.pool_name, device.device_name};
}

// Takes `key` out of the set of `owner`, and sets without keys out of the index.
template <typename Index, typename Owner>
void Unindex(Index& index, const Owner& owner, const std::string& key) {
  const auto found = index.find(owner);
  if (found == index.end()) return;  // was there twice
  found->second.erase(key);
  if (found->second.empty()) index.erase(found);
}

}  // namespace

ClaimStore::ClaimStore() { in_use_[kAnyDriver] = 0; }

const ClaimEntry* ClaimStore::Find(std::string_view namespace_name, std::string_view name) const {
  std::string key(namespace_name);
  key.append("/").append(name);
  return FindEntry(key);
}

ClaimEntry* ClaimStore::FindEntry(const std::string& key) const {
  const auto found = claims_.find(key);
  return found == claims_.end() ? nullptr : found->second.get();
}

std::vector<const ClaimEntry*> ClaimStore::All() const {
  std::vector<const ClaimEntry*> all;
  all.reserve(claims_.size());
  for (const auto& [key, entry] : claims_) all.push_back(entry.get());
  return all;
}

std::vector<const ClaimEntry*> ClaimStore::ClaimsOf(const std::string& pod_uid) const {
  std::vector<const ClaimEntry*> claims;
  const auto found = claims_of_pod_.find(pod_uid);
  if (found == claims_of_pod_.end()) return claims;
  for (const std::string& key : found->second) claims.push_back(FindEntry(key));
  return claims;
}

std::vector<std::string> ClaimStore::PodsNotIn(const PodUids& active) const {
  absl::btree_set<std::string> pods;
  for (const auto& [pod_uid, keys] : claims_of_pod_) {
    if (!active.contains(pod_uid)) pods.insert(pod_uid);
  }
  return {pods.begin(), pods.end()};
}

std::vector<std::string> ClaimStore::PodsUsing(absl::Span<const DeviceName> devices) const {
  absl::btree_set<std::string> pods;
  for (const DeviceName& device : devices) {
    const auto found = claims_of_device_.find(device);
    if (found == claims_of_device_.end()) continue;
    for (const std::string& key : found->second) {
      const ClaimEntry& entry = *FindEntry(key);
      pods.insert(entry.pods.begin(), entry.pods.end());
    }
  }
  return {pods.begin(), pods.end()};
}

ClaimEntry& ClaimStore::Insert(ClaimEntry entry) {
  const std::string key = entry.id.Key();
  if (ClaimEntry* const other = FindEntry(key)) Remove(*other);
  for (const std::string& pod_uid : entry.pods) claims_of_pod_[pod_uid].insert(key);
  for (const auto& [name, driver] : entry.drivers) IndexDevices(key, name, driver.state.devices);
  // Files are in the order of the keys.
  const auto place = claims_.emplace_hint(claims_.end(), key, nullptr);
  place->second = std::make_unique<ClaimEntry>(std::move(entry));
  return *place->second;
}

void ClaimStore::Remove(ClaimEntry& entry) {
  const std::string key = entry.id.Key();
  for (const std::string& pod_uid : entry.pods) Unindex(claims_of_pod_, pod_uid, key);
  for (const auto& [name, driver] : entry.drivers) UnindexDevices(key, name, driver.state.devices);
  StopUse(entry);
  claims_.erase(key);
}

bool ClaimStore::AddPod(ClaimEntry& entry, const std::string& pod_uid) {
  claims_of_pod_[pod_uid].insert(entry.id.Key());
  return entry.pods.insert(pod_uid).second;
}

void ClaimStore::RemovePod(ClaimEntry& entry, const std::string& pod_uid) {
  entry.pods.erase(pod_uid);
  Unindex(claims_of_pod_, pod_uid, entry.id.Key());
}

void ClaimStore::SetDevices(ClaimEntry& entry, const std::string& driver, GoSlice<ClaimDevice> devices) {
  const std::string key = entry.id.Key();
  GoSlice<ClaimDevice>& stored = entry.drivers.at(driver).state.devices;
  UnindexDevices(key, driver, stored);
  stored = std::move(devices);
  IndexDevices(key, driver, stored);
}

void ClaimStore::StartUse(ClaimEntry& entry) {
  if (std::exchange(entry.in_use, true)) return;
  ++in_use_[kAnyDriver];
  for (const auto& [name, driver] : entry.drivers) ++in_use_[name];
}

void ClaimStore::StopUse(ClaimEntry& entry) {
  if (!std::exchange(entry.in_use, false)) return;
  --in_use_[kAnyDriver];
  for (const auto& [name, driver] : entry.drivers) {
    const auto count = in_use_.find(name);
    if (--count->second == 0) in_use_.erase(count);
  }
}

void ClaimStore::IndexDevices(const std::string& key, const std::string& driver, const GoSlice<ClaimDevice>& devices) {
  for (const ClaimDevice& device : devices) claims_of_device_[NameOf(driver, device)].insert(key);
}

void ClaimStore::UnindexDevices(const std::string& key, const std::string& driver,
                                const GoSlice<ClaimDevice>& devices) {
  for (const ClaimDevice& device : devices) Unindex(claims_of_device_, NameOf(driver, device), key);
}

}  // namespace kubelet_cm::dra
