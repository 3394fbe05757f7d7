// PlayRestartTwins: a scenario again and again, each time with a restart of the kubelet as the same version at another
// place: after the start, and after each step. A restart must not matter.
//
// Not where no kubelet runs or a call is under way, nor where the scenario says no_restart and why.
#ifndef KUBELET_CM_TESTING_SCENARIOS_RESTART_TWINS_H_
#define KUBELET_CM_TESTING_SCENARIOS_RESTART_TWINS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "testing/scenarios/bench_node.h"
#include "testing/scenarios/crash_sweep.h"
#include "testing/scenarios/scenario_file.h"

namespace kubelet_cm::scenarios {

struct TwinsResult {
  size_t restarts = 0;                    // that were possible
  std::vector<SweptCrash> failures = {};  // of the runs that failed; where: "with a restart after step 2 (line 4)"
};

// Calls `body` with a node on which nothing has been yet. An error: it did not end.
using WithNode = absl::FunctionRef<absl::Status(absl::FunctionRef<void(BenchNode&)> body)>;

// `version`: that the node starts as; empty: as the scenario says.
TwinsResult PlayRestartTwins(const ScenarioFile& file, const std::string& version, WithNode with_node);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_RESTART_TWINS_H_
