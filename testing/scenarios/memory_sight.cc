#include "testing/scenarios/memory_sight.h"

#include <map>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/metrics/metric_value.h"
#include "common/threads/mutex.h"
#include "deviceplugin/device_state.h"
#include "dra/claim/claim_entry.h"
#include "dra/dra_state.h"

namespace kubelet_cm::scenarios {
namespace {

std::string WordOf(RecoveryOutcome outcome) {
  switch (outcome) {
    case RecoveryOutcome::kFresh:
      return "fresh";
    case RecoveryOutcome::kRestored:
      return "restored";
    case RecoveryOutcome::kMigrated:
      return "migrated";
    case RecoveryOutcome::kCorrupt:
      return "corrupt";
  }
  return "";
}

std::string WordOf(PodPhase phase) {
  switch (phase) {
    case PodPhase::kAdmitting:
      return "admitting";
    case PodPhase::kAdmitted:
      return "admitted";
    case PodPhase::kPrepared:
      return "prepared";
    case PodPhase::kTerminating:
      return "terminating";
    case PodPhase::kRestored:
      return "restored";
    case PodPhase::kRefused:
      return "refused";
  }
  return "";
}

void LookAtDevices(deviceplugin::DeviceManager& devices, Sight& sight) {
  const deviceplugin::DeviceInventory::Capacity capacity = devices.GetCapacity();
  deviceplugin::DeviceState& state = devices.state();
  MutexLock lock(&state.mu);
  for (const std::string& resource : state.inventory.KnownResources()) sight.resources[resource];
  for (const auto& [resource, count] : capacity.capacity) sight.resources[resource].capacity = count;
  for (const auto& [resource, count] : capacity.allocatable) sight.resources[resource].allocatable = count;
  for (const deviceplugin::DeviceEntry& entry : state.ledger.Entries()) {
    std::set<std::string>& ids = sight.holdings[{entry.pod_uid, entry.container_name, entry.resource_name}];
    for (const std::string_view id : deviceplugin::FlatDevices(entry)) ids.emplace(id);
  }
  sight.reservations = state.ledger.reservation_count();
}

void LookAtClaims(dra::DraManager& claims, Sight& sight) {
  dra::DraState& state = claims.state();
  MutexLock lock(&state.mu);
  for (const dra::ClaimEntry* entry : state.table.claims().All()) {
    Sight::Claim claim{.uid = entry->id.uid, .prepared = dra::AllPrepared(*entry)};
    for (const std::string& pod : entry->pods) {
      if (pod != dra::kNobody) claim.pods.insert(pod);
    }
    sight.claims[entry->id.name] = std::move(claim);
  }
}

}  // namespace

Sight LookAt(MemoryLife& life) {
  Sight sight;
  sight.devices_restored = WordOf(life.devices().restore_outcome());
  LookAtDevices(life.devices(), sight);
  if (life.claims() != nullptr) {
    sight.claims_restored = WordOf(life.claims()->restore_outcome());
    LookAtClaims(*life.claims(), sight);
  }
  sight.health = life.statuses().Now();
  for (const SharedPodRecord& record : life.pods().All()) sight.pods[record->pod->uid] = WordOf(record->phase);
  return sight;
}

absl::StatusOr<double> MetricOf(MemoryLife& life, const proto::Expect::Metric& metric) {
  std::map<std::string, std::string> labels;
  for (const std::string& label : metric.labels()) {
    const size_t equals = label.find('=');
    labels[label.substr(0, equals)] = label.substr(equals + 1);
  }
  const std::optional<double> value = MetricValue(life.metrics(), metric.name(), labels);
  if (!value.has_value()) return absl::NotFoundError(absl::StrCat("there is no such series of ", metric.name()));
  return *value;
}

}  // namespace kubelet_cm::scenarios
