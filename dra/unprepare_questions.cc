#include "dra/unprepare_questions.h"

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"
#include "dra/claim/claim_names.h"

namespace kubelet_cm::dra {
namespace {

// The claims that the pod references.
std::vector<ClaimEntry> KnownClaims(const DraParts& parts, const Pod& pod) {
  std::vector<ClaimEntry> claims;
  MutexLock lock(&parts.state.mu);
  for (const ClaimEntry* const claim : parts.state.table.claims().ClaimsOf(pod.uid)) claims.push_back(*claim);
  return claims;
}

absl::Status TakeHandles(const DraParts& parts, const Pod& pod, const ClaimId& claim) {
  absl::StatusOr<ClaimObject> object = parts.claims.Get(claim.namespace_name, claim.name);
  if (!object.ok()) {
    return Reworded(object.status(), absl::StrCat("failed to fetch ResourceClaim ", claim.name, " referenced by pod ",
                                                  pod.name, ": ", object.status().message()));
  }
  MutexLock lock(&parts.state.mu);
  if (object->allocation.has_value()) parts.state.table.SetHandles(claim, std::move(object->allocation->handles));
  return absl::OkStatus();
}

}  // namespace

absl::Status AskBeforeUnprepare(const DraParts& parts, const Pod& pod) {
  const DraRules& rules = parts.rules;
  if (rules.unprepare_asks == UnprepareAsks::kNothing) return absl::OkStatus();
  const std::vector<ClaimEntry> known = KnownClaims(parts, pod);
  if (rules.unprepare_asks == UnprepareAsks::kAlways || known.empty()) {
    const absl::Status unnamed = NamesOfClaims(pod, rules.names).status();
    const bool as_it_is = rules.words == CallWords::kNewest || rules.words <= CallWords::kUntil127;
    if (!unnamed.ok() && !as_it_is) {
      return Reworded(unnamed, absl::StrCat("unprepare resource claim: ", unnamed.message()));
    }
    RETURN_IF_ERROR(unnamed);
  }
  if (!rules.fetches_to_unprepare) return absl::OkStatus();
  for (const ClaimEntry& claim : known) {
    if (claim.pods.size() == 1) RETURN_IF_ERROR(TakeHandles(parts, pod, claim.id));
  }
  return absl::OkStatus();
}

}  // namespace kubelet_cm::dra
