// RunInMemory: a scenario on a MemoryNode, from nothing to the end.
#ifndef KUBELET_CM_TESTING_SCENARIOS_MEMORY_RUN_H_
#define KUBELET_CM_TESTING_SCENARIOS_MEMORY_RUN_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "testing/scenarios/memory_node.h"
#include "testing/scenarios/scenario_file.h"
#include "testing/scenarios/story.h"

namespace kubelet_cm::scenarios {

// Calls `body` with a node made for the scenario, as one of threads that run one at a time. An error is a deadlock, or
// a run that does not end.
absl::Status WithMemoryNode(const proto::Scenario& scenario, uint64_t seed, absl::FunctionRef<void(MemoryNode&)> body);

// `version`: that the node starts as; empty: as the scenario says. `log`: the level up to which the kubelet's lines are
// told; negative: none are. A run that does not come to its end is a failure of the story.
Story RunInMemory(const ScenarioFile& file, const std::string& version = "", uint64_t seed = 1, int log = -1);

// The story of a run that did not come to its end.
Story UnendedStory(const ScenarioFile& file, const absl::Status& why);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_MEMORY_RUN_H_
