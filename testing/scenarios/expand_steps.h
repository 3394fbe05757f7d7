// ExpandSteps: the steps that a scenario's short ones stand for, so that whoever plays a scenario knows no short ones.
//
// Pure.
#ifndef KUBELET_CM_TESTING_SCENARIOS_EXPAND_STEPS_H_
#define KUBELET_CM_TESTING_SCENARIOS_EXPAND_STEPS_H_

#include <vector>

#include "google/protobuf/repeated_ptr_field.h"
#include "testing/scenarios/scenario.pb.h"

namespace kubelet_cm::scenarios {

namespace proto = ::kubeletcm::scenario::v1;

// `lines` is where each step begins, before and after.
void ExpandSteps(google::protobuf::RepeatedPtrField<proto::Step>* steps, std::vector<int>* lines);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_EXPAND_STEPS_H_
