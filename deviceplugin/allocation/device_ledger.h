// DeviceLedger: who holds which devices. Entries are what was allocated and goes into the checkpoint; reservations are
// what is being allocated while the plugin is asked, and are forgotten at a restart.
//
//   ReservationId id = *ledger.Reserve(holder, ids);      // nobody else gets them now
//   ... ask the plugin, without the lock ...
//   ledger.Commit(id, FileByNumaNode(ids, nodes_of), response_bytes);   // or ledger.Release(id)
//   std::vector<LedgerChange> changes = ledger.TakeChanges();           // for the checkpoint, in their order
//
// A device of a resource is held by one pod: what would give it to a second one is refused and changes nothing. Inside
// a pod several containers may hold it, as app containers take over what init containers held. Only a restored file can
// say otherwise; then both entries are kept, and the device is free when both pods are gone.
//
// Plain value code, used by one thread at a time (under the device manager's lock). An operation costs what it changes,
// however many pods there are. Lists are sorted.
#ifndef KUBELET_CM_DEVICEPLUGIN_ALLOCATION_DEVICE_LEDGER_H_
#define KUBELET_CM_DEVICEPLUGIN_ALLOCATION_DEVICE_LEDGER_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/node_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "checkpointmanager/checkpoint_problem.h"
#include "deviceplugin/allocation/device_holders.h"
#include "deviceplugin/allocation/free_devices.h"
#include "deviceplugin/allocation/numa_filing.h"
#include "deviceplugin/checkpoint/device_content.h"
#include "deviceplugin/inventory/device_list.h"

namespace kubelet_cm::deviceplugin {

// What holds devices: a container of a pod, for one resource.
struct HolderKey {
  std::string pod_uid;
  std::string container_name;
  std::string resource_name;

  friend auto operator<=>(const HolderKey&, const HolderKey&) = default;
};

using ReservationId = uint64_t;  // of one ledger, never 0, never used twice

// What the checkpoint has to follow: an entry that was added or replaced, or nothing for one that was removed.
struct LedgerChange {
  HolderKey key;
  std::optional<DeviceEntry> entry;

  friend bool operator==(const LedgerChange&, const LedgerChange&) = default;
};

// Whether the NUMA nodes of restored entries are the plugin's, or only assumed because the file's format has none.
enum class RestoredNuma {
  kKnown,
  kZeroAssumed,  // those of entries that have no other node than 0
  kAssumed,
};

class DeviceLedger {
 public:
  DeviceLedger() = default;
  DeviceLedger(const DeviceLedger&) = delete;
  DeviceLedger& operator=(const DeviceLedger&) = delete;

  // --- Allocating.

  // FailedPrecondition if another pod holds one of the ids: then nothing is reserved. No ids are fine; more can follow.
  absl::StatusOr<ReservationId> Reserve(const HolderKey& holder, absl::Span<const std::string> ids);
  // As Reserve, for more ids of the same holder. NotFound for a reservation that is gone.
  absl::Status AddTo(ReservationId reservation, absl::Span<const std::string> ids);
  // Nothing happens for a reservation that is gone.
  void Release(ReservationId reservation);
  // Makes it an entry in the place of the holder's previous one. `devices` are reserved ids; what else was reserved is
  // released. NotFound for a reservation that is gone, InvalidArgument for an id that is not reserved by it: nothing
  // changes then.
  absl::Status Commit(ReservationId reservation, DevicesPerNuma devices, std::string response);

  // --- Removing. Reservations stay: they belong to who made them.

  // False if it has no entry.
  bool RemovePod(std::string_view pod_uid);
  // False if there is none.
  bool RemoveEntry(const HolderKey& holder);

  // --- Devices.

  // Whether the resource is one of devices that anybody holds or asks for, be it with no device at all.
  bool KnowsResource(std::string_view resource) const { return FindResource(resource) != nullptr; }
  bool IsTaken(std::string_view resource, std::string_view id) const;
  int64_t TakenCount(std::string_view resource) const;
  // The devices of `list`, the resource's, that are healthy and held by nobody: by id, and valid as long as the list
  // is. Costs what is free as long as it is asked about the same list.
  std::vector<CandidateDevice> Available(std::string_view resource, const std::shared_ptr<const DeviceList>& list);
  // Of all known resources.
  absl::btree_map<std::string, int64_t> TakenCounts() const;
  // The uids of the pods that hold one of the devices, in an entry or a reservation: sorted, each once.
  std::vector<std::string> HoldersOfAny(std::string_view resource, absl::Span<const std::string> ids) const;

  // --- Entries.

  // Null if there is none; valid until the next change.
  const DeviceEntry* Find(const HolderKey& holder) const;
  // The ids of the entry; nothing if there is none.
  std::optional<std::vector<std::string>> IdsOf(const HolderKey& holder) const;
  // The ids of the entry and of the holder's reservations.
  std::vector<std::string> HeldBy(const HolderKey& holder) const;
  // The ids of all entries of the pod for the resource; nothing if there is no entry.
  std::optional<std::vector<std::string>> IdsOfPod(std::string_view pod_uid, std::string_view resource) const;
  bool HasEntries(std::string_view pod_uid) const;
  // The entries of the container, by resource.
  std::vector<DeviceEntry> EntriesOf(std::string_view pod_uid, std::string_view container_name) const;
  // All, in the order of their keys.
  std::vector<DeviceEntry> Entries() const;
  // Of the pods that have entries, sorted.
  std::vector<std::string> PodsWithEntries() const;
  // Those of them for which `wanted` is true. A look at each pod, and nothing is copied but what is returned.
  std::vector<std::string> PodsWithEntries(absl::FunctionRef<bool(const std::string& uid)> wanted) const;
  size_t entry_count() const { return entry_count_; }
  // What all entries take in the state file, and no less.
  size_t entry_bytes() const { return entry_bytes_; }
  size_t reservation_count() const { return reservations_.size(); }

  // --- The checkpoint.

  // Takes over what a checkpoint file says; the ledger must be new. What is queued afterwards is how the ledger differs
  // from the file. An entry whose allocation response cannot be parsed is dropped, and of two with one key the later
  // one counts, as in kubelets. Returns what was dropped, and each device that several pods hold.
  std::vector<CheckpointProblem> Restore(std::vector<DeviceEntry> entries, RestoredNuma numa);
  // Now that the plugin has told where its devices are: corrects the entries whose nodes are only assumed. Those with
  // devices that are not there are looked at again the next time. Returns how many changed.
  size_t CorrectNumaNodes(std::string_view resource, NodesOfDevice nodes_of);
  // Whether CorrectNumaNodes would have anything to look at.
  bool AssumesNumaNodes(std::string_view resource) const;

  // Changes of entries since the last call.
  std::vector<LedgerChange> TakeChanges() { return std::exchange(changes_, {}); }

 private:
  struct Pod {
    // By container and resource.
    absl::btree_map<std::pair<std::string, std::string>, DeviceEntry> entries;
    std::vector<ReservationId> reservations;
  };
  using Pods = absl::node_hash_map<std::string, Pod>;
  struct Resource {
    // As those of `holders`.
    DeviceHolders::PodRef Take(DeviceHolders::PodRef pod, std::string_view id);
    void Drop(DeviceHolders::PodRef pod, std::string_view id);

    DeviceHolders holders;
    std::optional<FreeDevices> free;  // of the list that was last asked about
    size_t users = 0;                 // entries and reservations
    absl::btree_set<HolderKey> numa_assumed;
  };
  struct Reservation {
    HolderKey holder;
    absl::flat_hash_set<std::string> ids;
  };

  const Resource* FindResource(std::string_view resource) const;
  const Pod* FindPod(std::string_view pod_uid) const;
  absl::Status CheckFree(const HolderKey& holder, absl::Span<const std::string> ids) const;
  void PutEntry(DeviceEntry entry, std::vector<CheckpointProblem>* problems);
  // Takes its devices from the pod. The entry itself stays where it is.
  void ForgetEntry(Pods::iterator pod, const DeviceEntry& entry);
  void RemoveEntries(Pods::iterator pod);
  void StopUsing(std::string_view resource);
  void RemovePodIfEmpty(Pods::iterator pod);
  void Queue(const HolderKey& key);

  Pods pods_;
  absl::flat_hash_map<std::string, Resource> resources_;
  absl::flat_hash_map<ReservationId, Reservation> reservations_;
  ReservationId last_reservation_ = 0;
  size_t entry_count_ = 0;
  size_t entry_bytes_ = 0;
  std::vector<LedgerChange> changes_;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ALLOCATION_DEVICE_LEDGER_H_
