// Faults of plugins and drivers as text: what is checked of them in a scenario, and reading one from the command line
// of a fake that is a program. Pure functions.
#ifndef KUBELET_CM_TESTING_SCENARIOS_FAULT_TEXT_H_
#define KUBELET_CM_TESTING_SCENARIOS_FAULT_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "testing/scenarios/scenario.pb.h"
#include "testing/scenarios/text_place.h"

namespace kubelet_cm::scenarios {

namespace proto = ::kubeletcm::scenario::v1;

// But for whose fault it is.
void CheckFault(const proto::PluginFault& fault, const TextPlace& place);
void CheckFault(const proto::DriverFault& fault, const TextPlace& place);

// "call: ALLOCATE nth: 2 act: FAIL message: 'no'". InvalidArgument with the places of what is wrong.
absl::StatusOr<proto::PluginFault> PluginFaultOf(const std::string& text);
absl::StatusOr<proto::DriverFault> DriverFaultOf(const std::string& text);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_FAULT_TEXT_H_
