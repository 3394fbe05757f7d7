// What the field dies_at of a step means: what may be wrong with it, the fault that it is, its words.
//
// Pure functions.
#ifndef KUBELET_CM_TESTING_SCENARIOS_DIES_AT_H_
#define KUBELET_CM_TESTING_SCENARIOS_DIES_AT_H_

#include <optional>
#include <string>

#include "common/filesystem/fault_plan.h"
#include "testing/scenarios/scenario.pb.h"
#include "testing/scenarios/text_place.h"

namespace kubelet_cm::scenarios {

namespace proto = ::kubeletcm::scenario::v1;

// Complains about what is wrong with it.
void CheckDiesAt(const proto::DiesAt& dies_at, const TextPlace& place);

// In a plan of which calls' edges are operations (CallEdges). `place` is one that nothing is wrong with.
Fault FaultOf(const proto::DiesAt& place);

// The call that it is before; nothing where it is somewhere else.
std::optional<std::string> CallBeforeWhich(const proto::DiesAt& dies_at);

// "when Allocate has been answered", "before the 2nd rename of dra_manager_state", "at claim_answered (...)".
std::string Describe(const proto::DiesAt& dies_at);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_DIES_AT_H_
