// CheckForMemory: whether a scenario can be played on a node in memory. InvalidArgument, which names each step that
// needs the daemon's program and why.
#ifndef KUBELET_CM_TESTING_SCENARIOS_MEMORY_LIMITS_H_
#define KUBELET_CM_TESTING_SCENARIOS_MEMORY_LIMITS_H_

#include "absl/status/status.h"
#include "testing/scenarios/scenario_file.h"

namespace kubelet_cm::scenarios {

absl::Status CheckForMemory(const ScenarioFile& file);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_MEMORY_LIMITS_H_
