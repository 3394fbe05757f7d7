// ClaimPreparation: the claims of one pod, prepared by their drivers.
//
//   RETURN_IF_ERROR(ClaimPreparation(parts, pod).Run());
//
// First everything is looked at that can be wrong, and nothing is changed if something is. Then the pod references its
// claims, which is in the state file (one write) before a driver hears of it; drivers are called, all at the same time,
// for what is not prepared yet, and what others are having prepared is waited for; and what came of it is in the state
// file before Run returns. After an error in that part the claims stay referenced, and what was prepared stays so:
// whoever tries again calls only for the rest, and an unprepare knows of all.
//
// One thread uses it. Preparations of different pods run at the same time, and of one pod if need be.
#ifndef KUBELET_CM_DRA_CLAIM_PREPARATION_H_
#define KUBELET_CM_DRA_CLAIM_PREPARATION_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/node/pod.h"
#include "dra/claim/allocated_claim.h"
#include "dra/claim/claim_names.h"
#include "dra/claim/claim_plans.h"
#include "dra/dra_parts.h"

namespace kubelet_cm::dra {

class ClaimPreparation {
 public:
  // Both outlive the object.
  ClaimPreparation(const DraParts& parts, const Pod& pod) : parts_(parts), pod_(pod) {}

  // OK when all claims of the pod are prepared, and that survives a crash. Errors have upstream's texts, without what
  // the kubelet puts before them.
  absl::Status Run();

 private:
  // `unnamed`: what is wrong with the name behind these.
  absl::Status Prepare(absl::Span<const PodClaimName> names, const absl::Status& unnamed);
  // The claims as they are now, up to the first that the pod may not use or whose driver is not there.
  absl::Status Validate(absl::Span<const PodClaimName> names, std::vector<AllocatedClaim>& claims);
  absl::Status FindDrivers(const AllocatedClaim& claim) const;
  absl::StatusOr<AllocatedClaim> FetchClaim(const PodClaimName& name);
  // Nothing, if the claim has to be fetched.
  std::optional<AllocatedClaim> KnownClaim(const PodClaimName& name);
  // With a `refusal` of the claim behind them, that is what becomes of it all the same.
  absl::StatusOr<CallPlan> Reference(std::vector<AllocatedClaim> claims, absl::Status refusal);
  // `known`: the keys of those that were known before.
  void LogPlan(const std::vector<AllocatedClaim>& claims, const absl::btree_set<std::string>& known,
               const CallPlan& plan) const;
  // What became of the claims that others had prepared.
  absl::Status AwaitOthers(const CallPlan& plan);

  const DraParts& parts_;
  const Pod& pod_;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_PREPARATION_H_
