// DraState: what the DRA manager knows, and the lock above it. The manager's rooms share it: each takes the lock, asks
// or changes the claim table below it, and does everything that can wait (calls, writes, logging) without it.
//
//   uint64_t number;
//   {
//     MutexLock lock(&state.mu);
//     plan = state.table.Reference(...);
//     state.BeginAttempt(plan.attempt);
//     number = state.Newest();
//   }
//   RETURN_IF_ERROR(checkpoint.WaitDurable(number));
#ifndef KUBELET_CM_DRA_DRA_STATE_H_
#define KUBELET_CM_DRA_DRA_STATE_H_

#include <cstdint>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "common/threads/mutex.h"
#include "common/threads/notification.h"
#include "common/threads/threads.h"
#include "dra/claim/claim_table.h"
#include "dra/dra_checkpoint.h"
#include "dra/dra_restore.h"

namespace kubelet_cm::dra {

class DraState : public DraChangeSource {
 public:
  // The state that `restored` describes. `threads` outlives it.
  DraState(Threads& threads, const DraRestore& restored, ClaimTableOptions options);

  // The number of the state as it is now, for whoever relies on anything in it, be it of others, to wait for.
  uint64_t Newest() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu);

  // The calls of a plan begin; 0 is none. Whoever has the plan ends the attempt.
  void BeginAttempt(AttemptId attempt) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu);
  // As ClaimTable::EndAttempt; wakes those who wait.
  void EndAttempt(AttemptId attempt, const absl::Status& unanswered) ABSL_LOCKS_EXCLUDED(mu);
  // Returns when the attempt has ended. The calling thread has none of its own under way.
  void WaitForEnd(AttemptId attempt) ABSL_LOCKS_EXCLUDED(mu);

  DraChanges TakeChanges() override ABSL_LOCKS_EXCLUDED(mu);
  uint64_t TakeLegacyClaims(LegacyClaimList* claims) override ABSL_LOCKS_EXCLUDED(mu);
  void WriteFailed() override ABSL_LOCKS_EXCLUDED(mu);

  mutable Mutex mu;
  ClaimTable table ABSL_GUARDED_BY(mu);

 private:
  Threads& threads_;
  uint64_t number_ ABSL_GUARDED_BY(mu) = 0;  // of the newest state; 0 is what was restored
  absl::flat_hash_map<AttemptId, std::shared_ptr<Notification>> attempts_ ABSL_GUARDED_BY(mu);  // that have not ended
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_DRA_STATE_H_
