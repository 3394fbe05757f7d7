#include "dra/claim/claim_table.h"

#include <algorithm>
#include <utility>

#include "absl/container/btree_map.h"
#include "absl/strings/str_cat.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::dra {
namespace {

absl::Status BeingUnprepared(const ClaimId& claim) {
  return absl::UnavailableError(absl::StrCat("ResourceClaim ", claim.name, " is being unprepared"));
}

absl::Status NoSuchClaim(const ClaimId& claim) {
  return absl::InternalError(absl::StrCat("internal error: unable to get claim info for ResourceClaim ", claim.name,
                                          " in namespace ", claim.namespace_name));
}

bool IsCalled(const ClaimDriver& driver) {
  return driver.phase == DriverPhase::kPreparing || driver.phase == DriverPhase::kUnpreparing;
}

StuckClaim StuckOf(const ClaimEntry& entry, const std::string& driver_name) {
  const ClaimDriver& driver = entry.drivers.at(driver_name);
  return {.claim = entry.id,
          .driver = driver_name,
          .reason = driver.failure,
          .retrying = IsCalled(driver),
          .pod_uids = {entry.pods.begin(), entry.pods.end()}};
}

PlannedCall CallOf(const ClaimEntry& entry, const std::string& driver_name) {
  const ClaimDriver& driver = entry.drivers.at(driver_name);
  return {.claim = entry.id,
          .driver = driver_name,
          .attempt = driver.attempt,
          .handles = HandlesOf(entry, driver_name),
          .cdi_device_ids = CdiIdsOf(driver)};
}

}  // namespace

void ClaimTable::Restore(const ClaimList& claims) {
  CHECK(store_.size() == 0);
  store_.Reserve(claims.size());
  for (const ClaimState& state : claims) Restore(EntryOf(state, Trusts()));
}

void ClaimTable::RestoreLegacy(const LegacyClaimList& claims) {
  CHECK(store_.size() == 0);
  store_.Reserve(claims.size());
  for (const LegacyClaim& state : claims) Restore(EntryOf(state, Trusts()));
}

void ClaimTable::Changed(const ClaimEntry& entry) {
  changed_.insert(entry.id.Key());
  budget_.Set(entry);
}

void ClaimTable::Remove(ClaimEntry& entry) {
  const std::string key = entry.id.Key();
  changed_.insert(key);
  budget_.Remove(key);
  for (const auto& [name, driver] : entry.drivers) unverified_.erase({key, name});
  store_.Remove(entry);
}

void ClaimTable::Restore(ClaimEntry entry) {
  bool changed = false;
  for (auto& [name, driver] : entry.drivers) {
    if (driver.state.devices.is_nil()) continue;
    if (options_.rebooted) {
      driver.state.devices.SetNil();
      changed = true;
    } else if (!options_.vouched) {
      unverified_.insert({entry.id.Key(), name});
    }
  }
  const bool prepared = AllPrepared(entry);
  ClaimEntry& inserted = store_.Insert(std::move(entry));
  budget_.Set(inserted);
  if (changed) Changed(inserted);
  if (prepared) store_.StartUse(inserted);
}

absl::Status ClaimTable::CheckPrepare(absl::Span<const AllocatedClaim> claims) const {
  absl::flat_hash_map<std::string, const std::string*> uids;
  for (const AllocatedClaim& claim : claims) {
    std::string key = claim.id.Key();
    const ClaimEntry* const entry = store_.FindEntry(key);
    const std::string& known =
        *uids.try_emplace(std::move(key), entry != nullptr ? &entry->id.uid : &claim.id.uid).first->second;
    if (known != claim.id.uid) {
      return absl::FailedPreconditionError(absl::StrCat("old ResourceClaim with same name ", claim.id.name,
                                                        " and different UID ", known,
                                                        " still exists (previous pod force-deleted?!)"));
    }
    if (options_.guards_unpreparing && entry != nullptr && entry->unpreparing) return BeingUnprepared(claim.id);
  }
  return absl::OkStatus();
}

absl::StatusOr<CallPlan> ClaimTable::Reference(absl::Span<const AllocatedClaim> claims, const std::string& pod_uid) {
  RETURN_IF_ERROR(CheckPrepare(claims));
  absl::btree_map<std::string, const AllocatedClaim*> by_key;
  for (const AllocatedClaim& claim : claims) by_key.try_emplace(claim.id.Key(), &claim);
  ClaimWeight weight;
  for (const auto& [key, claim] : by_key) {
    const ClaimEntry* const entry = store_.FindEntry(key);
    if (entry == nullptr || !entry->pods.contains(pod_uid)) weight += WeightOf(*claim, pod_uid);
  }
  RETURN_IF_ERROR(budget_.CheckRoomFor(weight));
  CallPlan plan;
  for (const auto& [key, claim] : by_key) PlanPrepare(AddReference(*claim, pod_uid), *claim, plan);
  return plan;
}

ClaimEntry& ClaimTable::AddReference(const AllocatedClaim& claim, const std::string& pod_uid) {
  ClaimEntry* entry = store_.FindEntry(claim.id.Key());
  if (entry == nullptr) {
    entry = &store_.Insert(
        {.id = claim.id, .class_name = claim.class_name, .driver_name = claim.driver_name, .handles = claim.handles});
  }
  const bool refreshed = Refresh(*entry, claim);
  const bool referenced = store_.AddPod(*entry, pod_uid);
  // Else the pod would not be the last one when it ends.
  if (referenced && entry->pods.contains(std::string(kNobody))) store_.RemovePod(*entry, std::string(kNobody));
  if (refreshed || referenced) Changed(*entry);
  return *entry;
}

bool ClaimTable::Refresh(ClaimEntry& entry, const AllocatedClaim& claim) {
  bool changed = false;
  for (const auto& [name, wanted] : claim.drivers) {
    const bool is_new = !entry.drivers.contains(name);
    if (is_new) store_.StopUse(entry);  // there is one more to prepare
    ClaimDriver& driver = entry.drivers[name];
    StringList& skipped = driver.state.skip_node_operations;
    const bool same = std::equal(skipped.begin(), skipped.end(), wanted.skip_node_operations.begin(),
                                 wanted.skip_node_operations.end());
    changed = changed || is_new || !same;
    if (same) continue;
    const bool not_called = driver.phase == DriverPhase::kPrepared && Skips(skipped, kSkipPrepare);
    skipped.Set(wanted.skip_node_operations);
    if (not_called && !Skips(skipped, kSkipPrepare)) {
      driver.phase = DriverPhase::kReferenced;
      store_.StopUse(entry);
    }
  }
  return changed;
}

void ClaimTable::StartCall(ClaimEntry& entry, const std::string& driver, DriverPhase phase, CallPlan& plan) {
  if (plan.attempt == 0) plan.attempt = ++last_attempt_;
  ClaimDriver& called = entry.drivers.at(driver);
  called.phase = phase;
  called.attempt = plan.attempt;
  attempts_[plan.attempt].push_back({.claim = entry.id, .driver = driver, .attempt = plan.attempt});
  plan.calls[driver].push_back(CallOf(entry, driver));
}

void ClaimTable::PlanPrepare(ClaimEntry& entry, const AllocatedClaim& claim, CallPlan& plan) {
  for (const auto& [name, wanted] : claim.drivers) {
    ClaimDriver& driver = entry.drivers.at(name);
    if (driver.phase == DriverPhase::kPreparing) {
      plan.waits.push_back(CallOf(entry, name));
    } else if (driver.phase != DriverPhase::kReferenced) {
      continue;
    } else if (Skips(driver.state.skip_node_operations, kSkipPrepare)) {
      driver.phase = DriverPhase::kPrepared;
      ++plan.skipped[name];
    } else {
      StartCall(entry, name, DriverPhase::kPreparing, plan);
    }
  }
  if (AllPrepared(entry)) store_.StartUse(entry);
}

absl::StatusOr<ClaimTable::Step> ClaimTable::FindStep(const PlannedCall& call, DriverPhase phase) const {
  ClaimEntry* const entry = store_.FindEntry(call.claim.Key());
  if (entry == nullptr || entry->id.uid != call.claim.uid) return NoSuchClaim(call.claim);
  const auto driver = entry->drivers.find(call.driver);
  if (driver == entry->drivers.end() || driver->second.attempt != call.attempt || driver->second.phase != phase) {
    return absl::InternalError(absl::StrCat("internal error: driver ", call.driver, " is not being called for ",
                                            "ResourceClaim ", call.claim.name, " in namespace ",
                                            call.claim.namespace_name));
  }
  return Step{*entry, driver->second};
}

absl::Status ClaimTable::StorePrepared(const PlannedCall& call, std::vector<ClaimDevice> devices) {
  ASSIGN_OR_RETURN(const Step step, FindStep(call, DriverPhase::kPreparing));
  if (options_.appends_devices) devices = WithThoseOfBefore(step.driver, std::move(devices));
  if (const absl::Status room = budget_.CheckRoomFor(WeightOf(devices)); !room.ok()) {
    RETURN_IF_ERROR(FailPrepare(call, room));
    return room;
  }
  GoSlice<ClaimDevice> answer;
  if (!devices.empty() || options_.trust_devices) answer.Set(std::move(devices));
  store_.SetDevices(step.entry, call.driver, std::move(answer));
  unverified_.erase({step.entry.id.Key(), call.driver});
  step.driver.phase = DriverPhase::kPrepared;
  step.driver.failure = absl::OkStatus();
  if (AllPrepared(step.entry)) store_.StartUse(step.entry);
  Changed(step.entry);
  return absl::OkStatus();
}

absl::Status ClaimTable::StorePart(const PlannedCall& call, std::vector<ClaimDevice> devices) {
  ASSIGN_OR_RETURN(const Step step, FindStep(call, DriverPhase::kPreparing));
  if (options_.appends_devices) devices = WithThoseOfBefore(step.driver, std::move(devices));
  RETURN_IF_ERROR(budget_.CheckRoomFor(WeightOf(devices)));
  GoSlice<ClaimDevice> answer;
  answer.Set(std::move(devices));
  store_.SetDevices(step.entry, call.driver, std::move(answer));
  Changed(step.entry);
  return absl::OkStatus();
}

void ClaimTable::SetHandles(const ClaimId& claim, std::vector<ResourceHandle> handles) {
  ClaimEntry* const entry = store_.FindEntry(claim.Key());
  if (entry == nullptr || entry->id.uid != claim.uid) return;
  entry->handles = std::move(handles);
  Changed(*entry);
}

absl::Status ClaimTable::FailPrepare(const PlannedCall& call, const absl::Status& failure) {
  CHECK(!failure.ok());
  ASSIGN_OR_RETURN(const Step step, FindStep(call, DriverPhase::kPreparing));
  step.driver.phase = DriverPhase::kReferenced;
  step.driver.failure = failure;
  return absl::OkStatus();
}

void ClaimTable::DropUnprepared(const ClaimId& claim) {
  ClaimEntry* const entry = store_.FindEntry(claim.Key());
  if (entry == nullptr || entry->id.uid != claim.uid) return;
  const bool unprepared = std::all_of(entry->drivers.begin(), entry->drivers.end(), [](const auto& driver) {
    return driver.second.phase == DriverPhase::kReferenced && driver.second.state.devices.is_nil();
  });
  if (!unprepared) return;
  Remove(*entry);
}

absl::Status ClaimTable::Outcome(const PlannedCall& wait) const {
  const ClaimEntry* const entry = store_.FindEntry(wait.claim.Key());
  if (entry == nullptr || entry->id.uid != wait.claim.uid) return NoSuchClaim(wait.claim);
  if (entry->unpreparing) return BeingUnprepared(wait.claim);
  const auto driver = entry->drivers.find(wait.driver);
  if (driver == entry->drivers.end()) return NoSuchClaim(wait.claim);
  if (driver->second.phase == DriverPhase::kPrepared) return absl::OkStatus();
  CHECK(!attempts_.contains(wait.attempt)) << "asked for before the attempt has ended";
  if (!driver->second.failure.ok()) return driver->second.failure;
  return absl::AbortedError(absl::StrCat("ResourceClaim ", wait.claim.name, " has to be prepared again"));
}

CallPlan ClaimTable::BeginUnprepare(const std::string& pod_uid) {
  CallPlan plan;
  const auto found = store_.claims_of_pod_.find(pod_uid);
  if (found == store_.claims_of_pod_.end()) return plan;
  const absl::btree_set<std::string> keys = found->second;  // which shrinks meanwhile
  for (const std::string& key : keys) {
    ClaimEntry& entry = *store_.FindEntry(key);
    if (entry.pods.size() > 1) {
      store_.RemovePod(entry, pod_uid);
      Changed(entry);
    } else {
      PlanUnprepare(entry, plan);
    }
  }
  return plan;
}

void ClaimTable::PlanUnprepare(ClaimEntry& entry, CallPlan& plan) {
  const size_t waits = plan.waits.size();
  for (const auto& [name, driver] : entry.drivers) {
    if (IsCalled(driver)) plan.waits.push_back(CallOf(entry, name));
  }
  if (plan.waits.size() > waits) return;

  bool had_devices = false;
  for (auto& [name, driver] : entry.drivers) {
    had_devices = had_devices || !driver.state.devices.is_nil();
    if (driver.phase == DriverPhase::kUnprepared) continue;
    if (Skips(driver.state.skip_node_operations, kSkipUnprepare)) {
      driver.phase = DriverPhase::kUnprepared;
      ++plan.skipped[name];
    } else {
      StartCall(entry, name, DriverPhase::kUnpreparing, plan);
    }
  }
  const bool begins = !std::exchange(entry.unpreparing, true);
  if (begins && had_devices && options_.trust_devices) Changed(entry);
  RemoveIfUnprepared(entry);
}

void ClaimTable::RemoveIfUnprepared(ClaimEntry& entry) {
  if (!AllUnprepared(entry)) return;
  Remove(entry);
}

absl::Status ClaimTable::FinishUnprepare(const PlannedCall& call) {
  ASSIGN_OR_RETURN(const Step step, FindStep(call, DriverPhase::kUnpreparing));
  step.driver.phase = DriverPhase::kUnprepared;
  step.driver.failure = absl::OkStatus();
  stuck_.erase({step.entry.id.Key(), call.driver});
  RemoveIfUnprepared(step.entry);
  return absl::OkStatus();
}

absl::Status ClaimTable::FailUnprepare(const PlannedCall& call, const absl::Status& failure) {
  CHECK(!failure.ok());
  ASSIGN_OR_RETURN(const Step step, FindStep(call, DriverPhase::kUnpreparing));
  step.driver.phase = DriverPhase::kUnprepareFailed;
  step.driver.failure = failure;
  stuck_.insert({step.entry.id.Key(), call.driver});
  return absl::OkStatus();
}

void ClaimTable::EndAttempt(AttemptId attempt, const absl::Status& unanswered) {
  const auto found = attempts_.find(attempt);
  if (found == attempts_.end()) return;
  const std::vector<PlannedCall> calls = std::move(found->second);
  attempts_.erase(found);
  for (const PlannedCall& call : calls) {
    // One of them applies if the call has not been answered, else none.
    if (FindStep(call, DriverPhase::kPreparing).ok()) CHECK(FailPrepare(call, unanswered).ok());
    if (FindStep(call, DriverPhase::kUnpreparing).ok()) CHECK(FailUnprepare(call, unanswered).ok());
  }
}

std::vector<StuckClaim> ClaimTable::StuckClaims() const {
  std::vector<StuckClaim> stuck;
  for (const auto& [key, driver] : stuck_) stuck.push_back(StuckOf(*store_.FindEntry(key), driver));
  return stuck;
}

absl::StatusOr<ForgottenClaim> ClaimTable::Forget(const ClaimId& claim, std::string_view who) {
  const std::string key = claim.Key();
  ClaimEntry* const entry = store_.FindEntry(key);
  if (entry == nullptr || entry->id.uid != claim.uid) {
    return absl::NotFoundError(absl::StrCat("there is no ResourceClaim ", key, " with UID ", claim.uid));
  }
  if (who.empty()) return absl::InvalidArgumentError(absl::StrCat("nobody says that ", key, " can be forgotten"));
  ForgottenClaim forgotten{.state = StateOf(*entry, false), .stuck = {}, .who = std::string(who)};
  for (const auto& [name, driver] : entry->drivers) {
    if (IsCalled(driver)) {
      return absl::FailedPreconditionError(absl::StrCat("driver ", name, " is being called for ResourceClaim ", key));
    }
    if (stuck_.contains({key, name})) forgotten.stuck.push_back(StuckOf(*entry, name));
  }
  if (forgotten.stuck.empty()) {
    return absl::FailedPreconditionError(absl::StrCat("no unprepare of ResourceClaim ", key, " has failed"));
  }
  for (const StuckClaim& stuck : forgotten.stuck) stuck_.erase({key, stuck.driver});
  Remove(*entry);
  return forgotten;
}

AttemptId ClaimTable::RetryOf(const ClaimId& claim) const {
  const std::string key = claim.Key();
  const ClaimEntry* const entry = store_.FindEntry(key);
  if (entry == nullptr || entry->id.uid != claim.uid) return 0;
  const auto stuck = stuck_.lower_bound({key, ""});
  if (stuck == stuck_.end() || stuck->first != key) return 0;
  for (const auto& [name, driver] : entry->drivers) {
    if (driver.phase == DriverPhase::kUnpreparing) return driver.attempt;
  }
  return 0;
}

std::vector<ClaimChange> ClaimTable::TakeChanges() {
  std::vector<ClaimChange> changes;
  for (const std::string& key : changed_) {
    ClaimChange& change = changes.emplace_back(ClaimChange{.key = key});
    const ClaimEntry* const entry = store_.FindEntry(key);
    if (entry == nullptr) continue;
    change.state = StateOf(*entry, entry->unpreparing && options_.trust_devices);
  }
  changed_.clear();
  return changes;
}

LegacyClaimList ClaimTable::LegacyClaims() const {
  std::vector<LegacyClaim> claims;
  claims.reserve(store_.size());
  for (const ClaimEntry* const entry : store_.All()) claims.push_back(LegacyStateOf(*entry));
  LegacyClaimList list;
  list.Set(std::move(claims));
  return list;
}

}  // namespace kubelet_cm::dra
