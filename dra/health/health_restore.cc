#include "dra/health/health_restore.h"

#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace kubelet_cm::dra {
namespace {

constexpr char kFailed[] = "Failed to load health checkpoint, proceeding with empty cache";

}  // namespace

HealthRestore RestoreHealth(const RecoverySetting& setting, Logger& log) {
  HealthRestore restore;
  const auto accept = [&](std::string_view bytes) -> absl::StatusOr<bool> {
    HealthReading reading = ReadHealth(bytes);
    if (!reading.status.ok()) return reading.status;
    restore.state = std::move(reading.state);
    return true;
  };
  absl::StatusOr<Recovery> recovery = RecoverCheckpoint({.manager = setting.manager,
                                                         .file_system = setting.file_system,
                                                         .clock = setting.clock,
                                                         .policy = RecoverPolicy::kQuarantine},
                                                        kHealthStateKey, accept);
  if (!recovery.ok()) {
    log.Error(recovery.status(), kFailed);
    return {.outcome = RecoveryOutcome::kCorrupt};
  }
  restore.outcome = recovery->outcome;
  if (recovery->outcome == RecoveryOutcome::kCorrupt) {
    log.Error(recovery->error, kFailed, {{"setAsideAs", recovery->set_aside_as}});
  } else if (recovery->outcome != RecoveryOutcome::kFresh) {
    restore.bytes = std::move(recovery->bytes);
  }
  return restore;
}

HealthFormat HealthFormatOf(const Personality& kubelet) {
  if (kubelet.first.minor == 34) return HealthFormat::k134;
  return kubelet.first.minor == 35 ? HealthFormat::k135 : HealthFormat::k136;
}

}  // namespace kubelet_cm::dra
