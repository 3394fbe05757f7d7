// MendEverything: the disk works, and these plugins and drivers are up and answer as they should. Faults that were set
// for a call of a certain number stay.
#ifndef KUBELET_CM_TESTING_SCENARIOS_MENDING_H_
#define KUBELET_CM_TESTING_SCENARIOS_MENDING_H_

#include <set>
#include <string>

#include "testing/scenarios/bench_node.h"

namespace kubelet_cm::scenarios {

void MendEverything(BenchNode& node, const std::set<std::string>& plugins, const std::set<std::string>& drivers);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_MENDING_H_
