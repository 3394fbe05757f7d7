// How a daemon that plays a scenario is configured.
#ifndef KUBELET_CM_TESTING_SCENARIOS_PROGRAM_FLAGS_H_
#define KUBELET_CM_TESTING_SCENARIOS_PROGRAM_FLAGS_H_

#include <string>
#include <vector>

#include "testing/scenarios/scenario.pb.h"

namespace kubelet_cm::scenarios {

namespace proto = ::kubeletcm::scenario::v1;

// For every start on this machine.
std::vector<std::string> FlagsOf(const proto::Node& machine);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_PROGRAM_FLAGS_H_
