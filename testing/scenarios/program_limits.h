// CheckForProgram: whether a scenario can be played against the daemon's program, where time is real and the disk is
// the machine's.
//
// Pure.
#ifndef KUBELET_CM_TESTING_SCENARIOS_PROGRAM_LIMITS_H_
#define KUBELET_CM_TESTING_SCENARIOS_PROGRAM_LIMITS_H_

#include <string>

#include "absl/status/status.h"
#include "testing/scenarios/scenario_file.h"

namespace kubelet_cm::scenarios {

// InvalidArgument with a line "path:line: why not" for each step that needs a node in memory.
absl::Status CheckForProgram(const ScenarioFile& file, const std::string& version = "");

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_PROGRAM_LIMITS_H_
