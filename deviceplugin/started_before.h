// Whether a container had started before this process did, and for an init container also ended: then it has what it
// needs, whatever its plugin says meanwhile.
//
// Pure function.
#ifndef KUBELET_CM_DEVICEPLUGIN_STARTED_BEFORE_H_
#define KUBELET_CM_DEVICEPLUGIN_STARTED_BEFORE_H_

#include <string_view>

#include "common/node/node_start.h"
#include "common/node/pod.h"

namespace kubelet_cm::deviceplugin {

// True if it runs, and with `follows_init_containers` also for an init container that a running one comes after.
// Kubelets look at the container alone, and refuse pods that run because their init containers do not (k/k#138446).
bool StartedBefore(const NodeStart& node_start, const Pod& pod, std::string_view container_name,
                   bool follows_init_containers);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_STARTED_BEFORE_H_
