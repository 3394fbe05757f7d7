#include "dra/claim_preparation.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/container/btree_set.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"
#include "dra/claim/claim_check.h"
#include "dra/claim/claim_table.h"
#include "dra/driver_calls.h"
#include "dra/plugin/claim_results.h"

namespace kubelet_cm::dra {
namespace {

absl::Status Prefixed(const absl::Status& status, std::string_view prefix) {
  if (status.ok()) return status;
  return Reworded(status, absl::StrCat(std::string(prefix), status.message()));
}

// What kubelets of some versions made of the claims of a pod, given what was known.
void TakeAsKubelet(const DraRules& rules, const ClaimStore& known, std::vector<AllocatedClaim>& claims) {
  for (size_t i = 0; i < claims.size(); ++i) {
    const ClaimEntry* const entry = known.Find(claims[i].id.Key());
    if (entry == nullptr) continue;
    if (!rules.checks_uids) claims[i].id = entry->id;
    if (!rules.stops_at_prepared || !AllPrepared(*entry)) continue;
    claims.resize(i + 1);
    return;
  }
}

// Leaves the claims that come before the first one that cannot be referenced, and returns why that is.
absl::Status CutAtRefusal(const ClaimTable& table, std::vector<AllocatedClaim>& claims) {
  for (size_t i = 0; i < claims.size(); ++i) {
    const absl::Status refusal = table.CheckPrepare(absl::MakeConstSpan(claims).first(i + 1));
    if (refusal.ok()) continue;
    claims.resize(i);
    return refusal;
  }
  return absl::OkStatus();
}

// Kubelets of 1.28 to 1.33 put something before what is wrong with a name.
absl::Status NameError(const absl::Status& status, CallWords words) {
  const bool as_it_is = words == CallWords::kNewest || words <= CallWords::kUntil127;
  return as_it_is ? status : Prefixed(status, "prepare resource claim: ");
}

std::string NameOf(const Pod& pod) { return absl::StrCat(pod.namespace_name, "/", pod.name); }

}  // namespace

absl::Status ClaimPreparation::Run() {
  std::vector<PodClaimName> names;
  absl::Status unnamed = AddNamesOfClaims(pod_, parts_.rules.names, names);
  if (!unnamed.ok()) unnamed = NameError(unnamed, parts_.rules.words);
  for (const PodClaim& claim : pod_.claims) {
    if (!claim.not_needed) continue;
    parts_.log.V(5).Info("No need to prepare resources, no claim generated",
                         {{"pod", NameOf(pod_)}, {"podClaim", claim.name}});
  }
  if (!parts_.rules.one_claim_a_call) return Prepare(names, unnamed);
  for (const PodClaimName& name : names) RETURN_IF_ERROR(Prepare(absl::MakeConstSpan(&name, 1), absl::OkStatus()));
  return unnamed;
}

absl::Status ClaimPreparation::Prepare(absl::Span<const PodClaimName> names, const absl::Status& unnamed) {
  std::vector<AllocatedClaim> claims;
  absl::Status refusal = Validate(names, claims);
  refusal.Update(unnamed);
  if (!refusal.ok() && !(parts_.rules.keeps_references && !parts_.rules.looks_at_all_first)) return refusal;
  if (claims.empty()) return refusal;
  ASSIGN_OR_RETURN(const CallPlan plan, Reference(std::move(claims), refusal));

  absl::Status outcome = CallDrivers(parts_, DraCall::kPrepare, plan);
  // Only now that nobody can be waiting for this one.
  outcome.Update(AwaitOthers(plan));
  if (!outcome.ok() && parts_.rules.stops_at_failure) return outcome;
  uint64_t number = 0;
  {
    MutexLock lock(&parts_.state.mu);
    number = parts_.state.Newest();
  }
  // Also after an error, for what has succeeded.
  outcome.Update(Prefixed(parts_.checkpoint.WaitDurable(number), "checkpoint ResourceClaim state: "));
  return outcome;
}

absl::Status ClaimPreparation::Validate(absl::Span<const PodClaimName> names, std::vector<AllocatedClaim>& claims) {
  for (const PodClaimName& name : names) {
    parts_.log.V(3).Info("Processing resource", {{"pod", NameOf(pod_)}, {"podClaim", name.entry}});
    std::optional<AllocatedClaim> claim = KnownClaim(name);
    if (!claim.has_value()) {
      ASSIGN_OR_RETURN(claim, FetchClaim(name));
    }
    if (parts_.rules.looks_at_all_first) RETURN_IF_ERROR(FindDrivers(*claim));
    claims.push_back(*std::move(claim));
  }
  return absl::OkStatus();
}

absl::Status ClaimPreparation::FindDrivers(const AllocatedClaim& claim) const {
  for (const std::string& driver : DriversToPrepare({&claim, 1})) {
    RETURN_IF_ERROR(parts_.drivers.Find(driver).status());
  }
  return absl::OkStatus();
}

absl::StatusOr<AllocatedClaim> ClaimPreparation::FetchClaim(const PodClaimName& name) {
  absl::StatusOr<ClaimObject> object = parts_.claims.Get(pod_.namespace_name, name.object_name);
  const CallWords words = parts_.rules.words;
  if (!object.ok()) {
    return Prefixed(object.status(), words == CallWords::kNewest
                                         ? absl::StrCat("fetch ResourceClaim ", name.object_name, ": ")
                                         : absl::StrCat("failed to fetch ResourceClaim ", name.object_name,
                                                        " referenced by pod ", pod_.name, ": "));
  }
  if (parts_.rules.ignores_skipping && object->allocation.has_value()) {
    for (AllocatedDevice& result : object->allocation->results) result.skip_node_operations.clear();
  }
  ClaimCheckRules rules{.optional_node_operations = parts_.rules.optional_node_operations};
  if (words != CallWords::kNewest) rules.refused_as = words == CallWords::kUntil126 ? name.entry : name.object_name;
  if (parts_.rules.pod_group_claims) rules.pod_group = pod_.scheduling_group;
  return CheckClaim(pod_, name, *object, rules);
}

std::optional<AllocatedClaim> ClaimPreparation::KnownClaim(const PodClaimName& name) {
  if (parts_.rules.fetches_known_claims) return std::nullopt;
  MutexLock lock(&parts_.state.mu);
  const ClaimEntry* const entry = parts_.state.table.claims().Find(pod_.namespace_name, name.object_name);
  if (entry == nullptr) return std::nullopt;
  AllocatedClaim claim{.id = entry->id};
  // Of the rest the table knows better.
  for (const auto& [driver, state] : entry->drivers) claim.drivers[driver];
  return claim;
}

absl::StatusOr<CallPlan> ClaimPreparation::Reference(std::vector<AllocatedClaim> claims, absl::Status refusal) {
  CallPlan plan;
  uint64_t number = 0;
  absl::btree_set<std::string> known;  // by key
  {
    MutexLock lock(&parts_.state.mu);
    TakeAsKubelet(parts_.rules, parts_.state.table.claims(), claims);
    if (parts_.rules.keeps_references) refusal.Update(CutAtRefusal(parts_.state.table, claims));
    for (const AllocatedClaim& claim : claims) {
      if (parts_.state.table.claims().Find(claim.id.Key()) != nullptr) known.insert(claim.id.Key());
    }
    ASSIGN_OR_RETURN(plan, parts_.state.table.Reference(claims, pod_.uid));
    plan.pod_name = pod_.name;
    parts_.state.BeginAttempt(plan.attempt);
    number = parts_.state.Newest();
  }
  parts_.metrics.CountSkippedPrepares(plan.skipped);
  LogPlan(claims, known, plan);
  if (!parts_.rules.intent_first) return plan;
  absl::Status refused = Prefixed(parts_.checkpoint.WaitDurable(number), "checkpoint ResourceClaim cache: ");
  refused.Update(refusal);
  if (!refused.ok()) {
    parts_.state.EndAttempt(plan.attempt, refused);
    return refused;
  }
  return plan;
}

void ClaimPreparation::LogPlan(const std::vector<AllocatedClaim>& claims, const absl::btree_set<std::string>& known,
                               const CallPlan& plan) const {
  if (!parts_.log.Enabled(5)) return;
  absl::btree_set<std::string> unprepared;
  for (const auto& [driver, calls] : plan.calls) {
    for (const PlannedCall& call : calls) unprepared.insert(call.claim.Key());
  }
  for (const PlannedCall& wait : plan.waits) unprepared.insert(wait.claim.Key());
  for (const AllocatedClaim& claim : claims) {
    const std::string key = claim.id.Key();
    parts_.log.V(6).Info(
        known.contains(key) ? "Found existing claim info cache entry" : "Created new claim info cache entry",
        {{"pod", NameOf(pod_)}, {"claim", key}});
    if (unprepared.contains(key)) continue;
    parts_.log.V(5).Info("Resources already prepared", {{"pod", NameOf(pod_)}, {"claim", key}});
  }
}

absl::Status ClaimPreparation::AwaitOthers(const CallPlan& plan) {
  absl::Status first;
  for (const PlannedCall& wait : plan.waits) {
    parts_.state.WaitForEnd(wait.attempt);
    MutexLock lock(&parts_.state.mu);
    first.Update(parts_.state.table.Outcome(wait));
  }
  return first;
}

}  // namespace kubelet_cm::dra
