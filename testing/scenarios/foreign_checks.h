// What a scenario can get wrong about plugins and drivers that are programs of somebody's own. Pure.
#ifndef KUBELET_CM_TESTING_SCENARIOS_FOREIGN_CHECKS_H_
#define KUBELET_CM_TESTING_SCENARIOS_FOREIGN_CHECKS_H_

#include <set>
#include <string>

#include "testing/scenarios/scenario.pb.h"
#include "testing/scenarios/text_place.h"

namespace kubelet_cm::scenarios {

void CheckProgram(const ::kubeletcm::scenario::v1::Program& program, const TextPlace& place);

// Complains where `name` is one of the programs: they cannot be told what to do, or asked.
void NeedsFake(const TextPlace& place, const std::string& field, const std::string& name,
               const std::set<std::string>& programs);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_FOREIGN_CHECKS_H_
