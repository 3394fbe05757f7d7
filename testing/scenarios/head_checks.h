// CheckHead: what is wrong with a scenario apart from its steps: its name, what it teaches, the node, the kubelet.
//
// Pure.
#ifndef KUBELET_CM_TESTING_SCENARIOS_HEAD_CHECKS_H_
#define KUBELET_CM_TESTING_SCENARIOS_HEAD_CHECKS_H_

#include "testing/scenarios/scenario.pb.h"
#include "testing/scenarios/text_place.h"

namespace kubelet_cm::scenarios {

namespace proto = ::kubeletcm::scenario::v1;

void CheckHead(const proto::Scenario& scenario, const TextPlace& place);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_HEAD_CHECKS_H_
