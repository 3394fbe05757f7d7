// FieldsOf: a pod as a client of the control API writes it who has no manifest.
//
// Pure.
#ifndef KUBELET_CM_TESTING_SCENARIOS_POD_FIELDS_H_
#define KUBELET_CM_TESTING_SCENARIOS_POD_FIELDS_H_

#include "common/node/pod.h"
#include "kubelet_cm/api/control.pb.h"

namespace kubelet_cm::scenarios {

::kubeletcm::v1::AdmitPodRequest FieldsOf(const Pod& pod);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_POD_FIELDS_H_
