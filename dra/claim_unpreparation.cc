#include "dra/claim_unpreparation.h"

#include <cstdint>
#include <utility>

#include "absl/container/btree_set.h"
#include "absl/strings/str_cat.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"
#include "dra/driver_calls.h"

namespace kubelet_cm::dra {

absl::Status ClaimUnpreparation::Run() {
  while (true) {
    ASSIGN_OR_RETURN(const CallPlan plan, Begin());
    absl::Status outcome = CallDrivers(parts_, DraCall::kUnprepare, plan);
    if (outcome.ok() || !parts_.rules.stops_at_failure) outcome.Update(Write());
    if (outcome.ok()) LogRemoved(plan);
    if (!outcome.ok() || plan.waits.empty()) return outcome;
    // Others are calling the drivers of some claims. What is to be done about those shows when they have been answered.
    for (const PlannedCall& wait : plan.waits) parts_.state.WaitForEnd(wait.attempt);
  }
}

absl::StatusOr<CallPlan> ClaimUnpreparation::Begin() {
  CallPlan plan;
  {
    MutexLock lock(&parts_.state.mu);
    // Asked under the lock: a pod is active before it references a claim, and one that comes from now on finds its
    // claims being unprepared.
    if (active_pods_ != nullptr && active_pods_->Uids()->contains(pod_uid_)) return plan;
    plan = parts_.state.table.BeginUnprepare(pod_uid_);
    plan.pod_name = pod_name_;
    parts_.state.BeginAttempt(plan.attempt);
  }
  parts_.metrics.CountSkippedUnprepares(plan.skipped);
  // Before the first driver is called, no file says any more that it has prepared the claim. Kubelets always call
  // again, and need not write.
  if (plan.calls.empty() || !parts_.rules.trust_devices) return plan;
  const absl::Status written = Write();
  if (!written.ok()) {
    parts_.state.EndAttempt(plan.attempt, written);
    return written;
  }
  return plan;
}

void ClaimUnpreparation::LogRemoved(const CallPlan& plan) const {
  absl::btree_set<std::string> keys;
  for (const auto& [driver, calls] : plan.calls) {
    for (const PlannedCall& call : calls) keys.insert(call.claim.Key());
  }
  for (const std::string& key : keys) {
    parts_.log.V(6).Info("Deleted claim info cache entry", {{"podUID", pod_uid_}, {"claim", key}});
  }
}

absl::Status ClaimUnpreparation::Write() {
  uint64_t number = 0;
  {
    MutexLock lock(&parts_.state.mu);
    number = parts_.state.Newest();
  }
  const absl::Status written = parts_.checkpoint.WaitDurable(number);
  if (written.ok()) return written;
  return Reworded(written, absl::StrCat("checkpoint ResourceClaim state: ", written.message()));
}

}  // namespace kubelet_cm::dra
