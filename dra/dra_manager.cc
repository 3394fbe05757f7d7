#include "dra/dra_manager.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"
#include "dra/checkpoint/dra_writing.h"
#include "dra/claim/claim_annotations.h"
#include "dra/claim/claim_use.h"
#include "dra/claim_preparation.h"
#include "dra/claim_unpreparation.h"
#include "dra/unprepare_questions.h"

namespace kubelet_cm::dra {
namespace {

DraRules MakeRules(const DraManagerOptions& options) {
  DraRules rules = RulesOf(*options.kubelet);
  rules.trust_devices = options.trust_devices.value_or(rules.trust_devices);
  rules.names.extended_resources = rules.names.extended_resources && options.extended_resources;
  rules.optional_node_operations = rules.optional_node_operations && options.optional_node_operations;
  rules.pod_group_claims = rules.pod_group_claims && options.pod_group_claims;
  rules.health_messages = rules.health_messages && options.health_messages;
  return rules;
}

// As kubelets do it: there is a file from the first start on.
absl::Status WriteFirstFile(CheckpointManager& files, const Personality& kubelet, DraRestore& restored) {
  if (restored.format.has_value() || !kubelet.dra_writes.has_value()) return absl::OkStatus();
  restored.format = kubelet.dra_writes;
  restored.bytes = WriteEmptyDraCheckpoint(*restored.format).bytes;
  return files.Write(kDraCheckpointKey, restored.bytes);
}

// Until 1.33 kubelets put nothing before what had gone wrong.
absl::Status Wrapped(const absl::Status& status, const char* what, CallWords words = CallWords::kNewest) {
  if (status.ok() || words < CallWords::kNewest) return status;
  return Reworded(status, absl::StrCat(what, status.message()));
}

absl::StatusOr<std::vector<CdiAnnotation>> AnnotationsFor(const Pod& pod, const Container& container,
                                                          const ClaimStore& claims, const DraRules& rules) {
  std::vector<CdiAnnotation> annotations;
  ASSIGN_OR_RETURN(const std::vector<UsedClaim> used, ClaimsUsedBy(pod, container, rules.names));
  for (const UsedClaim& claim : used) {
    const ClaimEntry* const entry = claims.Find(pod.namespace_name, claim.object_name);
    if (entry == nullptr) {
      return absl::InternalError(
          absl::StrCat("unable to get resource for namespace: ", pod.namespace_name, ", claim: ", claim.object_name));
    }
    ASSIGN_OR_RETURN(const std::vector<CdiAnnotation> some, AnnotationsOf(*entry, *rules.annotations));
    annotations.insert(annotations.end(), some.begin(), some.end());
  }
  return annotations;
}

}  // namespace

absl::StatusOr<std::unique_ptr<DraManager>> DraManager::New(const DraManagerDependencies& dependencies,
                                                            const DraManagerOptions& options,
                                                            const NodeStart& node_start) {
  Found found;
  found.rebooted = node_start.rebooted;
  ASSIGN_OR_RETURN(found.files, CheckpointManager::New(dependencies.files, dependencies.random, options.folder));
  ASSIGN_OR_RETURN(found.restored, RestoreClaims({.manager = *found.files,
                                                  .file_system = dependencies.files,
                                                  .clock = dependencies.threads.clock(),
                                                  .policy = options.recover},
                                                 *options.kubelet, dependencies.log));
  RETURN_IF_ERROR(WriteFirstFile(*found.files, *options.kubelet, found.restored));
  found.trust = std::make_unique<DeviceTrust>(*found.files);
  ASSIGN_OR_RETURN(found.trusted, found.trust->Start(MakeRules(options).trust_devices && !node_start.had_others));
  std::unique_ptr<DraManager> manager(new DraManager(dependencies, options, std::move(found)));
  // After a boot, that nothing is prepared has to be known to the next start, too.
  RETURN_IF_ERROR(manager->WriteNewest());
  manager->VouchWhenDue();
  manager->ShowClaimsInUse();
  return manager;
}

DraManager::DraManager(const DraManagerDependencies& dependencies, const DraManagerOptions& options, Found found)
    : deps_(dependencies),
      rules_(MakeRules(options)),
      outcome_(found.restored.outcome),
      metrics_(deps_.metrics),
      files_(std::move(found.files)),
      trust_(std::move(found.trust)),
      state_(deps_.threads, found.restored,
             {.trust_devices = rules_.trust_devices,
              .vouched = found.trusted,
              .restored_is_prepared = rules_.restored_is_prepared,
              .guards_unpreparing = rules_.guards_unpreparing,
              .appends_devices = rules_.appends_devices,
              .rebooted = found.rebooted}),
      checkpoint_(*files_, deps_.threads, state_, *options.kubelet, std::move(found.restored)),
      parts_{.threads = deps_.threads,
             .log = deps_.log,
             .state = state_,
             .checkpoint = checkpoint_,
             .metrics = metrics_,
             .drivers = deps_.drivers,
             .claims = deps_.claims,
             .rules = rules_},
      reconciler_(parts_, deps_.active_pods,
                  {.interval = options.reconcile_interval, .start = rules_.reconciles, .after_run = [this] {
                     VouchWhenDue();
                     ShowClaimsInUse();
                   }}) {}

DraManager::~DraManager() = default;

absl::Status DraManager::WriteNewest() {
  uint64_t number = 0;
  {
    MutexLock lock(&state_.mu);
    number = state_.Newest();
  }
  return Wrapped(checkpoint_.WaitDurable(number), "checkpoint ResourceClaim state: ");
}

// What is said of the state that is durable when this is asked holds of all later ones: what was verified stays so.
void DraManager::VouchWhenDue() {
  if (trust_->given()) return;
  {
    MutexLock lock(&state_.mu);
    if (!state_.table.vouched() || checkpoint_.durable() < state_.Newest()) return;
  }
  const absl::Status given = trust_->Give();
  if (!given.ok()) {
    deps_.log.Error(given,
                    "It cannot be recorded that the state of ResourceClaims is to be trusted: after a restart "
                    "drivers are called again");
  }
}

void DraManager::ShowClaimsInUse() {
  const std::vector<std::string> changes = metrics_.ShowClaimsInUse([this] {
    MutexLock lock(&state_.mu);
    return state_.table.claims().ClaimsInUse();
  });
  if (!changes.empty()) deps_.log.V(5).Info("ResourceClaim usage changed", {{"claimsInUse", changes}});
}

void DraManager::CountOperation(const std::string& name, const absl::Status& outcome, absl::Duration took) {
  VouchWhenDue();
  metrics_.CountOperation(name, outcome.ok() == rules_.inverts_is_error, took);
  ShowClaimsInUse();
}

absl::Status DraManager::PrepareResources(const Pod& pod) {
  const Clock& clock = deps_.threads.clock();
  const MonotonicTime start = clock.MonotonicNow();
  absl::Status outcome = Wrapped(ClaimPreparation(parts_, pod).Run(), "prepare dynamic resources: ", rules_.words);
  CountOperation("PrepareResources", outcome, clock.MonotonicNow() - start);
  return outcome;
}

absl::Status DraManager::UnprepareResources(const Pod& pod) {
  const Clock& clock = deps_.threads.clock();
  const MonotonicTime start = clock.MonotonicNow();
  absl::Status outcome = AskBeforeUnprepare(parts_, pod);
  if (outcome.ok()) outcome = ClaimUnpreparation(parts_, pod.uid, nullptr, pod.name).Run();
  outcome = Wrapped(outcome, "unprepare dynamic resources: ", rules_.words);
  CountOperation("UnprepareResources", outcome, clock.MonotonicNow() - start);
  return outcome;
}

absl::StatusOr<ForgottenClaim> DraManager::Forget(const ClaimId& claim, std::string_view who) {
  absl::StatusOr<ForgottenClaim> forgotten;
  AttemptId retry = 0;
  do {
    // What is being tried again may yet succeed, and a call that is under way must not meet the next prepare.
    state_.WaitForEnd(retry);
    MutexLock lock(&state_.mu);
    retry = state_.table.RetryOf(claim);
    if (retry == 0) forgotten = state_.table.Forget(claim, who);
  } while (retry != 0);
  RETURN_IF_ERROR(forgotten.status());
  const absl::Status written = WriteNewest();
  ShowClaimsInUse();
  RETURN_IF_ERROR(written);
  deps_.log.Warning("A ResourceClaim that could not be unprepared was released",
                    {{"claim", claim.Key()}, {"claimUID", claim.uid}, {"who", who}});
  return forgotten;
}

bool DraManager::PodMightNeedToUnprepare(const std::string& pod_uid) const {
  MutexLock lock(&state_.mu);
  return state_.table.claims().MightNeedToUnprepare(pod_uid);
}

absl::StatusOr<ClaimRunOptions> DraManager::GetResources(const Pod& pod, const Container& container) const {
  ClaimRunOptions options;
  MutexLock lock(&state_.mu);
  const ClaimStore& claims = state_.table.claims();
  if (rules_.cdi_devices) {
    ASSIGN_OR_RETURN(options.cdi_device_ids, CdiDevicesOf(pod, container, claims, rules_.names));
  }
  if (rules_.annotations.has_value()) {
    ASSIGN_OR_RETURN(options.annotations, AnnotationsFor(pod, container, claims, rules_));
  }
  return options;
}

absl::StatusOr<std::vector<ContainerClaimInfo>> DraManager::ContainerClaimInfos(const Pod& pod,
                                                                                const Container& container) const {
  MutexLock lock(&state_.mu);
  return ClaimInfosOf(pod, container, state_.table.claims(), rules_.names);
}

std::vector<ClaimStatus> DraManager::ClaimStatuses(const Pod& pod, const Container& container,
                                                   const HealthReader& health) const {
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, DeviceCondition> conditions;
  const auto of = [&](const DeviceName& name) -> DeviceCondition& {
    return conditions[{name.driver, name.pool, name.device}];
  };
  const auto statuses = [&] {
    MutexLock lock(&state_.mu);
    return ClaimStatusesOf(pod, container, state_.table.claims(), of,
                           {.rules = rules_.names, .messages = rules_.health_messages});
  };
  // Which devices they are, and then how they are: health has a lock of its own, which is not taken below this one.
  statuses();
  for (auto& [key, condition] : conditions) {
    condition = health({.driver = std::get<0>(key), .pool = std::get<1>(key), .device = std::get<2>(key)});
  }
  return statuses();
}

std::vector<std::string> DraManager::PodsUsing(absl::Span<const DeviceName> devices) const {
  MutexLock lock(&state_.mu);
  return state_.table.claims().PodsUsing(devices);
}

std::vector<StuckClaim> DraManager::StuckClaims() const {
  MutexLock lock(&state_.mu);
  return state_.table.StuckClaims();
}

}  // namespace kubelet_cm::dra
