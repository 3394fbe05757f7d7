// ClaimStore: the entries of the claim table, found by name, by pod and by device, and counted by driver.
//
// Finding costs what is found. A plain value, which only ClaimTable changes; whoever owns that has the lock. Entries
// are good until the next change of the table.
#ifndef KUBELET_CM_DRA_CLAIM_CLAIM_STORE_H_
#define KUBELET_CM_DRA_CLAIM_CLAIM_STORE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "common/node/active_pods.h"
#include "dra/claim/claim_entry.h"

namespace kubelet_cm::dra {

// The driver's name under which ClaimsInUse counts the claims of all drivers.
inline constexpr char kAnyDriver[] = "<any>";

struct DeviceName {
  std::string driver;
  std::string pool;
  std::string device;

  friend bool operator==(const DeviceName&, const DeviceName&) = default;
  template <typename H>
  friend H AbslHashValue(H state, const DeviceName& name) {
    return H::combine(std::move(state), name.driver, name.pool, name.device);
  }
};

class ClaimStore {
 public:
  ClaimStore();

  size_t size() const { return claims_.size(); }
  // Null if there is none.
  const ClaimEntry* Find(std::string_view namespace_name, std::string_view name) const;
  const ClaimEntry* Find(const std::string& key) const { return FindEntry(key); }
  std::vector<const ClaimEntry*> All() const;                                 // by key
  std::vector<const ClaimEntry*> ClaimsOf(const std::string& pod_uid) const;  // that the pod references, by key
  // Whether the pod references a claim.
  bool MightNeedToUnprepare(const std::string& pod_uid) const { return claims_of_pod_.contains(pod_uid); }
  // Those that reference a claim, but are not active; sorted.
  std::vector<std::string> PodsNotIn(const PodUids& active) const;
  // Those that reference a claim with one of these devices; sorted.
  std::vector<std::string> PodsUsing(absl::Span<const DeviceName> devices) const;
  // How many claims are prepared with all their drivers: by driver, and under kAnyDriver all of them.
  const absl::btree_map<std::string, int64_t>& ClaimsInUse() const { return in_use_; }

 private:
  friend class ClaimTable;

  ClaimEntry* FindEntry(const std::string& key) const;
  // So many are about to come, of a pod each.
  void Reserve(size_t claims) { claims_of_pod_.reserve(claims); }
  // In place of the one of the same key.
  ClaimEntry& Insert(ClaimEntry entry);
  void Remove(ClaimEntry& entry);
  // Whether that is new.
  bool AddPod(ClaimEntry& entry, const std::string& pod_uid);
  void RemovePod(ClaimEntry& entry, const std::string& pod_uid);
  void SetDevices(ClaimEntry& entry, const std::string& driver, GoSlice<ClaimDevice> devices);
  // To be told when the last driver has prepared the claim, and before it gets another driver.
  void StartUse(ClaimEntry& entry);
  void StopUse(ClaimEntry& entry);

  void IndexDevices(const std::string& key, const std::string& driver, const GoSlice<ClaimDevice>& devices);
  void UnindexDevices(const std::string& key, const std::string& driver, const GoSlice<ClaimDevice>& devices);

  absl::btree_map<std::string, std::unique_ptr<ClaimEntry>> claims_;                // by key
  absl::flat_hash_map<std::string, absl::btree_set<std::string>> claims_of_pod_;    // keys, never none
  absl::flat_hash_map<DeviceName, absl::btree_set<std::string>> claims_of_device_;  // keys, never none
  absl::btree_map<std::string, int64_t> in_use_;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_CLAIM_STORE_H_
