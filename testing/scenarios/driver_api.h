// Which protocol DRA drivers and kubelets share.
//
// Pure functions.
#ifndef KUBELET_CM_TESTING_SCENARIOS_DRIVER_API_H_
#define KUBELET_CM_TESTING_SCENARIOS_DRIVER_API_H_

#include "common/personality/personality.h"
#include "dra/api/dra_api.h"

namespace kubelet_cm::scenarios {

// The newest that the kubelet speaks; v1alpha1 for one that has no drivers.
dra::DraApi NewestApiOf(const Personality& kubelet);

// Whether the kubelet can call a driver that speaks this and nothing else.
bool Speaks(const Personality& kubelet, dra::DraApi api);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_DRIVER_API_H_
