// LookForExpected: what is not as an expect step has it, a sentence each with what was expected and what is there.
#ifndef KUBELET_CM_TESTING_SCENARIOS_EXPECTATIONS_H_
#define KUBELET_CM_TESTING_SCENARIOS_EXPECTATIONS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "testing/scenarios/bench_node.h"

namespace kubelet_cm::scenarios {

// `refused_start`: what the last start failed with; OK where it did not. The node has settled.
std::vector<std::string> LookForExpected(const proto::Expect& expect, BenchNode& node,
                                         const absl::Status& refused_start);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_EXPECTATIONS_H_
