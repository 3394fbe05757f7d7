#include "dra/dra_restore.h"

#include <string_view>
#include <utility>

#include "absl/container/btree_set.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"
#include "dra/checkpoint/dra_reading.h"
#include "dra/checkpoint/dra_salvage.h"

namespace kubelet_cm::dra {
namespace {

std::vector<std::string> ClaimsNamedIn(std::string_view bytes) {
  absl::btree_set<std::string> keys;
  for (const ClaimState& claim : SalvageDra(bytes).claims) keys.insert(ClaimKey(claim));
  return {keys.begin(), keys.end()};
}

void LogOutcome(const Recovery& recovery, const absl::Status& refusal, const DraRestore& restore, Logger& log) {
  if (recovery.outcome == RecoveryOutcome::kCorrupt) {
    log.Error(refusal,
              "Continue after failing to read the state of ResourceClaims; drivers may have prepared "
              "claims that nobody knows of",
              {{"setAsideAs", recovery.set_aside_as}, {"claims", restore.lost_claims}});
    return;
  }
  if (recovery.outcome == RecoveryOutcome::kFresh) return;
  const size_t claims = *restore.format < DraFormat::k131 ? restore.legacy_claims.size() : restore.claims.size();
  log.V(4).Info("Read the state of ResourceClaims",
                {{"format", std::string(FormatName(*restore.format))}, {"claims", claims}});
}

}  // namespace

absl::StatusOr<DraRestore> RestoreClaims(const RecoverySetting& setting, const Personality& kubelet, Logger& log) {
  DraRestore restore;
  if (!kubelet.dra_writes.has_value()) return restore;
  std::vector<std::string> losses;
  absl::Status refusal;
  const auto accept = [&](std::string_view bytes) -> absl::StatusOr<bool> {
    DraReading reading = ReadDraCheckpointAs(kubelet, bytes);
    if (!reading.valid()) {
      restore.lost_claims = ClaimsNamedIn(bytes);
      refusal = CorruptState(reading.status, DraStartError(kubelet, reading));
      return reading.status;
    }
    restore.format = reading.format;
    restore.claims = std::move(reading.claims);
    restore.legacy_claims = std::move(reading.legacy_claims);
    losses = std::move(reading.losses);
    return reading.format == kubelet.dra_writes;
  };
  RecoverySetting how = setting;
  const bool emulated = &kubelet != &LatestPersonality();
  if (emulated && kubelet.dra_unreadable == OnUnreadable::kRefuseToStart) how.policy = RecoverPolicy::kStrict;
  absl::StatusOr<Recovery> recovery = RecoverCheckpoint(how, kDraCheckpointKey, accept);
  if (!recovery.ok() && how.policy == RecoverPolicy::kStrict && !refusal.ok()) return refusal;
  RETURN_IF_ERROR(recovery.status());
  restore.outcome = recovery->outcome;
  restore.bytes = std::move(recovery->bytes);
  LogOutcome(*recovery, refusal, restore, log);
  for (const std::string& loss : losses) {
    log.Warning("The state of ResourceClaims has something that newer kubelets do not keep", {{"what", loss}});
  }
  return restore;
}

}  // namespace kubelet_cm::dra
