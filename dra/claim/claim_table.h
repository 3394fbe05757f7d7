// ClaimTable: every claim that is or may be prepared on this node, for which pods, and who is calling whom about it.
//
//   prepare:    Reference -> make the changes durable -> call the drivers of the plan, wait for those that others call
//               -> StorePrepared or FailPrepare for each -> EndAttempt -> make the changes durable -> answer
//   unprepare:  BeginUnprepare -> make the changes durable -> call -> FinishUnprepare or FailUnprepare for each
//               -> EndAttempt -> make the changes durable -> answer
//
// What it promises: a claim is known before a driver hears of it, and until every driver of it has confirmed its
// unprepare; no unprepare while another pod references the claim, nor while a prepare is on its way; one call at a time
// for a claim and driver; none for a claim and driver whose success is known; a name stands for one uid at a time.
//
// Costs what it touches, whatever else there is. Value code without a lock: its owner has one.
#ifndef KUBELET_CM_DRA_CLAIM_CLAIM_TABLE_H_
#define KUBELET_CM_DRA_CLAIM_CLAIM_TABLE_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dra/checkpoint/legacy_claim.h"
#include "dra/claim/allocated_claim.h"
#include "dra/claim/claim_budget.h"
#include "dra/claim/claim_entry.h"
#include "dra/claim/claim_plans.h"
#include "dra/claim/claim_store.h"

namespace kubelet_cm::dra {

struct ClaimTableOptions {
  // Whether a driver whose devices the state file shows is prepared, and not called again after a restart. Then devices
  // leave the file before an unprepare is sent, and a driver that prepared without devices has [] there. Kubelets do
  // neither.
  bool trust_devices = true;
  // Whether nobody but this project can have written the state file, or unprepared what it shows. If not, devices in it
  // are told to containers, and the drivers called again all the same.
  bool vouched = true;
  // As kubelets of 1.27 and 1.28: what the state file has is prepared, whatever became of it.
  bool restored_is_prepared = false;
  // Whether a claim that is being unprepared is refused; kubelets until 1.36 gave it to the pod, and took it away.
  bool guards_unpreparing = true;
  // Whether an answer is added to the devices of the answer before; kubelets of 1.31 to 1.35. Else it replaces them.
  bool appends_devices = false;
  // The machine was booted since: what drivers had made is gone, though the state file shows devices. They leave it,
  // and the drivers are called again.
  bool rebooted = false;
  // Of the state file; what would exceed it is refused before anything changes.
  ClaimWeight limit = kMaxClaimWeight;
};

class ClaimTable {
 public:
  explicit ClaimTable(ClaimTableOptions options) : options_(options), budget_(options.limit) {}

  // Into a table without claims. Of claims of the same key the last one counts. Changes nothing that is to be written,
  // but for devices after a boot.
  void Restore(const ClaimList& claims);
  void RestoreLegacy(const LegacyClaimList& claims);

  // --- Preparing

  // Whether the claims can be referenced: none is being unprepared, and no other claim has one of their names.
  absl::Status CheckPrepare(absl::Span<const AllocatedClaim> claims) const;
  // The pod references the claims, and whoever has the plan calls the drivers in it, and ends its attempt. Checks as
  // above, and changes nothing on an error. What the claims say of drivers to skip replaces what was known.
  absl::StatusOr<CallPlan> Reference(absl::Span<const AllocatedClaim> claims, const std::string& pod_uid);
  // The answer to a call of the plan. Replaces the driver's devices; a driver with several handles answers once. An
  // answer that there is no room for is ResourceExhausted and a call that failed.
  absl::Status StorePrepared(const PlannedCall& call, std::vector<ClaimDevice> devices);
  // What a driver has answered, though it does not count as prepared yet; the call goes on.
  absl::Status StorePart(const PlannedCall& call, std::vector<ClaimDevice> devices);
  absl::Status FailPrepare(const PlannedCall& call, const absl::Status& failure);
  // The handles by which drivers are to be told of the claim, as the API server has them now.
  void SetHandles(const ClaimId& claim, std::vector<ResourceHandle> handles);
  // As kubelets until 1.30 did after a prepare that failed: removes the claim, with its references, if no driver has
  // prepared it, now or before a restart, or is being called.
  void DropUnprepared(const ClaimId& claim);
  // After the attempt of `wait` has ended: its failure, if the claim was not prepared.
  absl::Status Outcome(const PlannedCall& wait) const;

  // --- Unpreparing

  // Takes the pod's references away where other pods have one too. Where it is the last one, the drivers are to be
  // called that have not been unprepared yet; the reference stays until all are. A claim that no driver wants to be
  // called for is removed. Claims of `waits` are left as they are: begin again when those calls have ended.
  CallPlan BeginUnprepare(const std::string& pod_uid);
  // The answer to a call of the plan. The last one removes the claim.
  absl::Status FinishUnprepare(const PlannedCall& call);
  absl::Status FailUnprepare(const PlannedCall& call, const absl::Status& failure);

  // No answer comes any more: calls of the attempt that have none failed with `unanswered`.
  void EndAttempt(AttemptId attempt, const absl::Status& unanswered);

  // --- Claims whose unprepare failed, until it has succeeded; by key, then driver.
  std::vector<StuckClaim> StuckClaims() const;
  // Removes a claim of these, with its references: `who` says that its drivers need not be told. Not while one is being
  // called.
  absl::StatusOr<ForgottenClaim> Forget(const ClaimId& claim, std::string_view who);
  // The attempt that is calling a driver to unprepare a claim of these once more; 0 if none is.
  AttemptId RetryOf(const ClaimId& claim) const;

  // --- What there is.
  const ClaimStore& claims() const { return store_; }

  // --- For the state file

  // The claims that have changed since the last call; by key, each once, as it is now.
  std::vector<ClaimChange> TakeChanges();
  bool HasChanges() const { return !changed_.empty(); }
  // Whether all devices in the file can be trusted by the next start.
  bool vouched() const { return options_.trust_devices && unverified_.empty(); }
  // All claims, in the shape of 1.27 to 1.30.
  LegacyClaimList LegacyClaims() const;

 private:
  struct Step {  // a call of an attempt
    ClaimEntry& entry;
    ClaimDriver& driver;
  };

  bool Trusts() const {
    if (options_.restored_is_prepared) return true;
    return options_.trust_devices && options_.vouched && !options_.rebooted;
  }
  void Restore(ClaimEntry entry);
  // The call that nobody has answered yet.
  absl::StatusOr<Step> FindStep(const PlannedCall& call, DriverPhase phase) const;
  ClaimEntry& AddReference(const AllocatedClaim& claim, const std::string& pod_uid);
  bool Refresh(ClaimEntry& entry, const AllocatedClaim& claim);
  void PlanPrepare(ClaimEntry& entry, const AllocatedClaim& claim, CallPlan& plan);
  void PlanUnprepare(ClaimEntry& entry, CallPlan& plan);
  void StartCall(ClaimEntry& entry, const std::string& driver, DriverPhase phase, CallPlan& plan);
  void RemoveIfUnprepared(ClaimEntry& entry);
  void Changed(const ClaimEntry& entry);
  void Remove(ClaimEntry& entry);

  ClaimTableOptions options_;
  ClaimStore store_;
  ClaimBudget budget_;
  absl::flat_hash_map<AttemptId, std::vector<PlannedCall>> attempts_;  // that have not ended
  absl::btree_set<std::pair<std::string, std::string>> stuck_;         // key and driver
  // Key and driver: devices that a restored file shows, and nobody vouches for.
  absl::btree_set<std::pair<std::string, std::string>> unverified_;
  absl::btree_set<std::string> changed_;  // keys
  AttemptId last_attempt_ = 0;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_CLAIM_TABLE_H_
