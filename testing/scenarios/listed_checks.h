// What an expectation says of the podresources API, held against its answers.
#ifndef KUBELET_CM_TESTING_SCENARIOS_LISTED_CHECKS_H_
#define KUBELET_CM_TESTING_SCENARIOS_LISTED_CHECKS_H_

#include <string>
#include <vector>

#include "testing/scenarios/bench_node.h"

namespace kubelet_cm::scenarios {

// Nothing, or what is not as it should be. Does not ask where nothing is expected.
std::vector<std::string> LookForListed(const proto::Expect& expect, BenchNode& node);

// Makes the calls, and says if too few were refused.
std::vector<std::string> ListOften(const proto::ListOften& list, BenchNode& node);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_LISTED_CHECKS_H_
