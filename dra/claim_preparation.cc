#include "dra/claim_preparation.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/container/btree_set.h"
#include "absl/strings/str_cat.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"
#include "dra/claim/claim_check.h"
#include "dra/driver_calls.h"

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

std::string NameOf(const Pod& pod) { return absl::StrCat(pod.namespace_name, "/", pod.name); }

}  // namespace

absl::Status ClaimPreparation::Run() {
  ASSIGN_OR_RETURN(std::vector<AllocatedClaim> claims, Validate());
  if (claims.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const CallPlan plan, Reference(std::move(claims)));

  absl::Status outcome = CallDrivers(parts_, DraCall::kPrepare, plan);
  // Only now that nobody can be waiting for this one.
  outcome.Update(AwaitOthers(plan));
  uint64_t number = 0;
  {
    MutexLock lock(&parts_.state.mu);
    number = parts_.state.Newest();
  }
  // Also after an error, for what has succeeded.
  outcome.Update(Prefixed(parts_.checkpoint.WaitDurable(number), "checkpoint ResourceClaim state: "));
  return outcome;
}

absl::StatusOr<std::vector<AllocatedClaim>> ClaimPreparation::Validate() {
  ASSIGN_OR_RETURN(const std::vector<PodClaimName> names, NamesOfClaims(pod_, parts_.rules.names));
  if (names.empty() && !pod_.claims.empty()) {
    parts_.log.V(5).Info("No need to prepare resources, no claim generated", {{"pod", NameOf(pod_)}});
  }
  std::vector<AllocatedClaim> claims;
  for (const PodClaimName& name : names) {
    parts_.log.V(3).Info("Processing resource", {{"pod", NameOf(pod_)}, {"podClaim", name.entry}});
    if (std::optional<AllocatedClaim> known = KnownClaim(name)) {
      claims.push_back(*std::move(known));
      continue;
    }
    ASSIGN_OR_RETURN(AllocatedClaim claim, FetchClaim(name));
    claims.push_back(std::move(claim));
  }
  if (!parts_.rules.looks_up_drivers_first) return claims;
  for (const std::string& driver : DriversToPrepare(claims)) RETURN_IF_ERROR(parts_.drivers.Find(driver).status());
  return claims;
}

absl::StatusOr<AllocatedClaim> ClaimPreparation::FetchClaim(const PodClaimName& name) {
  const absl::StatusOr<ClaimObject> object = parts_.claims.Get(pod_.namespace_name, name.object_name);
  if (!object.ok()) {
    return Prefixed(object.status(), absl::StrCat("fetch ResourceClaim ", name.object_name, ": "));
  }
  ClaimCheckRules rules{.optional_node_operations = parts_.rules.optional_node_operations};
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

absl::StatusOr<CallPlan> ClaimPreparation::Reference(std::vector<AllocatedClaim> claims) {
  CallPlan plan;
  uint64_t number = 0;
  absl::btree_set<std::string> known;  // by key
  {
    MutexLock lock(&parts_.state.mu);
    TakeAsKubelet(parts_.rules, parts_.state.table.claims(), claims);
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
  absl::Status written = Prefixed(parts_.checkpoint.WaitDurable(number), "checkpoint ResourceClaim cache: ");
  if (!written.ok()) {
    parts_.state.EndAttempt(plan.attempt, written);
    return written;
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
