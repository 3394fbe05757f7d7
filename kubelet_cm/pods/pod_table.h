// PodTable: every pod that the daemon answers for, and those that it refused lately. What the managers ask about active
// pods is answered from it.
//
// Records are values that are replaced, never changed: who has one keeps it. Only who has the pod's turn replaces it,
// so what is done to one pod is done one after the other, and different pods do not wait for each other.
//
// Thread-safe.
#ifndef KUBELET_CM_KUBELET_CM_PODS_POD_TABLE_H_
#define KUBELET_CM_KUBELET_CM_PODS_POD_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_map.h"
#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "common/node/active_pods.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "kubelet_cm/pods/pod_record.h"

namespace kubelet_cm {

using SharedPodRecord = std::shared_ptr<const PodRecord>;

// Which pod is meant: by its uid, or by namespace and name.
struct PodName {
  std::string uid = {};
  std::string namespace_name = {};
  std::string name = {};
};

class PodTable : public ActivePods {
 public:
  // So many refused pods are remembered; the oldest go first.
  static constexpr size_t kMostRefused = 256;

  // The right to replace one pod's record. Given back by the destructor.
  class Turn {
   public:
    Turn(PodTable& table, std::string uid);  // waits until nobody else has it
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    const std::string& uid() const { return uid_; }

   private:
    PodTable& table_;
    const std::string uid_;
  };

  // `sources` of pods have to say that they are ready. `threads` outlives the table.
  PodTable(Threads& threads, absl::btree_set<PodSource> sources);

  // Pods of earlier runs, none of them refused, into a table that has none; before anybody has a turn.
  void Fill(std::vector<PodRecord> records) ABSL_LOCKS_EXCLUDED(mu_);

  // By whoever has the pod's turn. The record's pod has the turn's uid.
  void Put(const Turn& turn, PodRecord record) ABSL_LOCKS_EXCLUDED(mu_);
  void Remove(const Turn& turn) ABSL_LOCKS_EXCLUDED(mu_);

  // The source has told of all the pods that it has.
  void SetReady(PodSource source) ABSL_LOCKS_EXCLUDED(mu_);

  // Null if there is none.
  SharedPodRecord Find(const std::string& uid) const ABSL_LOCKS_EXCLUDED(mu_);
  // NotFound; InvalidArgument when the name is not one pod's. A refused pod is found when no other has the name.
  absl::StatusOr<SharedPodRecord> Find(const PodName& pod) const ABSL_LOCKS_EXCLUDED(mu_);
  // By namespace, name and uid.
  std::vector<SharedPodRecord> All() const ABSL_LOCKS_EXCLUDED(mu_);

  // ActivePods: all but the refused.
  bool SourcesReady() const override ABSL_LOCKS_EXCLUDED(mu_);
  std::shared_ptr<const PodUids> Uids() const override ABSL_LOCKS_EXCLUDED(mu_);
  uint64_t Departures() const override ABSL_LOCKS_EXCLUDED(mu_);

 private:
  using NameKey = std::pair<std::string, std::string>;
  static NameKey NameOf(const PodRecord& record) { return {record.pod->namespace_name, record.pod->name}; }

  void TakeTurn(const std::string& uid) ABSL_LOCKS_EXCLUDED(mu_);
  void EndTurn(const std::string& uid) ABSL_LOCKS_EXCLUDED(mu_);
  void Erase(const std::string& uid) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void RememberRefused(const std::string& uid) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  mutable Mutex mu_;
  const std::unique_ptr<Condition> turn_ended_;
  absl::flat_hash_set<std::string> turns_ ABSL_GUARDED_BY(mu_);  // uids
  absl::btree_set<PodSource> awaited_ ABSL_GUARDED_BY(mu_);      // sources that are not ready
  absl::flat_hash_map<std::string, SharedPodRecord> records_ ABSL_GUARDED_BY(mu_);
  absl::btree_map<NameKey, absl::btree_set<std::string>> uids_of_name_ ABSL_GUARDED_BY(mu_);  // never none
  std::deque<std::string> refused_ ABSL_GUARDED_BY(mu_);                                      // uids, oldest first
  uint64_t departures_ ABSL_GUARDED_BY(mu_) = 0;
  // Made when somebody asks for it; null when a pod has come or gone since.
  mutable std::shared_ptr<const PodUids> active_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_PODS_POD_TABLE_H_
