// The state file of device health when the process starts.
//
// Nothing depends on it but what is said of devices until their drivers report again, so no trouble with it stops
// anybody: it is logged, and the start is an empty one.
#ifndef KUBELET_CM_DRA_HEALTH_HEALTH_RESTORE_H_
#define KUBELET_CM_DRA_HEALTH_HEALTH_RESTORE_H_

#include <optional>
#include <string>

#include "checkpointmanager/checkpoint_recovery.h"
#include "common/log/logger.h"
#include "common/personality/personality.h"
#include "dra/health/health_state.h"

namespace kubelet_cm::dra {

inline constexpr char kHealthStateKey[] = "dra_health_state";

struct HealthRestore {
  RecoveryOutcome outcome = RecoveryOutcome::kFresh;
  HealthState state = std::nullopt;
  std::optional<std::string> bytes = std::nullopt;  // of the file, if it was used
};

// For the time before anything else uses the file. One that cannot be read is set aside, whatever the policy.
HealthRestore RestoreHealth(const RecoverySetting& setting, Logger& log);

// What a kubelet writes; the newest form for those that wrote none.
HealthFormat HealthFormatOf(const Personality& kubelet);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_HEALTH_HEALTH_RESTORE_H_
