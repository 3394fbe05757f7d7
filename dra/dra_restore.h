// What the DRA manager's state file held when the process started.
//
// Every format is read that the emulated kubelet reads; `latest` reads all there were. Nothing is changed by a restore
// but a file that cannot be used: it is set aside, or the start fails (RecoverPolicy::kStrict, and every emulated
// kubelet, in its own words).
#ifndef KUBELET_CM_DRA_DRA_RESTORE_H_
#define KUBELET_CM_DRA_DRA_RESTORE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "checkpointmanager/checkpoint_recovery.h"
#include "common/log/logger.h"
#include "common/personality/personality.h"
#include "dra/checkpoint/claim_state.h"
#include "dra/checkpoint/legacy_claim.h"

namespace kubelet_cm::dra {

inline constexpr char kDraCheckpointKey[] = "dra_manager_state";

struct DraRestore {
  RecoveryOutcome outcome = RecoveryOutcome::kFresh;
  std::optional<DraFormat> format = {};  // of the file, if it was used
  ClaimList claims = {};                 // in the newest form; none for an emulated kubelet of before 1.31
  LegacyClaimList legacy_claims = {};    // of a file of before 1.31, with what the newest form cannot hold
  std::string bytes = {};                // of the file, if it was used
  // "namespace/name" of claims of which a file that was set aside speaks, sorted. Nothing vouches for them, so that
  // nothing is done about them; their drivers may have them prepared.
  std::vector<std::string> lost_claims = {};
};

// For the time before anything else uses the file. Logs what it found. A kubelet without such a file has nothing.
absl::StatusOr<DraRestore> RestoreClaims(const RecoverySetting& setting, const Personality& kubelet, Logger& log);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_DRA_RESTORE_H_
