// Pods as the control API shows them.
#ifndef KUBELET_CM_KUBELET_CM_CONTROL_POD_VIEW_H_
#define KUBELET_CM_KUBELET_CM_CONTROL_POD_VIEW_H_

#include <functional>
#include <vector>

#include "common/node/pod.h"
#include "deviceplugin/device_manager.h"
#include "dra/claim/claim_status.h"
#include "kubelet_cm/api/control.pb.h"
#include "kubelet_cm/pods/pod_record.h"

namespace kubelet_cm {

// The health of the devices of a container's claims.
using ReadClaimStatuses = std::function<std::vector<dra::ClaimStatus>(const Pod&, const Container&)>;

// Does not wait. `claim_statuses` may be null: there is no DRA.
::kubeletcm::v1::PodView ViewPod(const PodRecord& record, deviceplugin::DeviceManager& devices,
                                 const ReadClaimStatuses& claim_statuses);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_CONTROL_POD_VIEW_H_
