// CheckScenario: what a scenario's text can get wrong that its schema does not say: names of what is not there, steps
// that come when they cannot, texts that are no duration, version or pattern.
//
// Pure.
#ifndef KUBELET_CM_TESTING_SCENARIOS_SCENARIO_CHECKS_H_
#define KUBELET_CM_TESTING_SCENARIOS_SCENARIO_CHECKS_H_

#include <vector>

#include "google/protobuf/text_format.h"
#include "testing/scenarios/scenario.pb.h"
#include "testing/scenarios/text_place.h"

namespace kubelet_cm::scenarios {

// `tree` is where the parser found what is in the scenario.
std::vector<Complaint> CheckScenario(const ::kubeletcm::scenario::v1::Scenario& scenario,
                                     const google::protobuf::TextFormat::ParseInfoTree& tree);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_SCENARIO_CHECKS_H_
