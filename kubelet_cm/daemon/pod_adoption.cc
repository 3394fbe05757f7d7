#include "kubelet_cm/daemon/pod_adoption.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/container/btree_map.h"
#include "absl/status/status.h"
#include "common/threads/mutex.h"
#include "deviceplugin/device_state.h"
#include "dra/dra_state.h"

namespace kubelet_cm {
namespace {

// By uid, with what is known of each.
absl::btree_map<std::string, Pod> KnownPods(deviceplugin::DeviceManager& devices, dra::DraManager* claims) {
  absl::btree_map<std::string, Pod> known;
  {
    deviceplugin::DeviceState& state = devices.state();
    MutexLock lock(&state.mu);
    for (const deviceplugin::DeviceEntry& entry : state.ledger.Entries()) {
      Pod& pod = known[entry.pod_uid];
      if (pod.FindContainer(entry.container_name) == nullptr) pod.containers.push_back({.name = entry.container_name});
    }
  }
  if (claims == nullptr) return known;
  dra::DraState& state = claims->state();
  MutexLock lock(&state.mu);
  for (const dra::ClaimEntry* claim : state.table.claims().All()) {
    for (const std::string& uid : claim->pods) {
      if (uid != dra::kNobody) known[uid].namespace_name = claim->id.namespace_name;
    }
  }
  return known;
}

}  // namespace

absl::StatusOr<Adoption> AdoptUnknownPods(deviceplugin::DeviceManager& devices, dra::DraManager* claims, absl::Time now,
                                          PodTable& pods, PodStore& store) {
  Adoption adoption;
  for (auto& [uid, pod] : KnownPods(devices, claims)) {
    const PodTable::Turn turn(pods, uid);
    if (pods.Find(uid) != nullptr) continue;
    pod.uid = uid;
    PodRecord record{.pod = std::make_shared<const Pod>(std::move(pod)),
                     .source = PodSource::kStateFile,
                     .phase = PodPhase::kRestored,
                     .since = now};
    const absl::Status saved = store.Save(record);
    if (!saved.ok() && !absl::IsInvalidArgument(saved)) return saved;
    if (!saved.ok()) adoption.unsaved.push_back(uid);
    pods.Put(turn, std::move(record));
    ++adoption.adopted;
  }
  return adoption;
}

}  // namespace kubelet_cm
