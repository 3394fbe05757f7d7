// DraParts: what the operations of the DRA manager work with.
#ifndef KUBELET_CM_DRA_DRA_PARTS_H_
#define KUBELET_CM_DRA_DRA_PARTS_H_

#include "common/log/logger.h"
#include "common/threads/threads.h"
#include "dra/claim_source.h"
#include "dra/dra_checkpoint.h"
#include "dra/dra_metrics.h"
#include "dra/dra_rules.h"
#include "dra/dra_state.h"
#include "dra/plugin/driver_directory.h"

namespace kubelet_cm::dra {

// All of it outlives whoever has it.
struct DraParts {
  Threads& threads;
  Logger& log;
  DraState& state;
  DraCheckpoint& checkpoint;
  DraMetrics& metrics;
  const DriverDirectory& drivers;
  ClaimSource& claims;
  const DraRules& rules;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_DRA_PARTS_H_
