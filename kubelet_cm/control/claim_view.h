// The claims of the node as the control API shows them.
#ifndef KUBELET_CM_KUBELET_CM_CONTROL_CLAIM_VIEW_H_
#define KUBELET_CM_KUBELET_CM_CONTROL_CLAIM_VIEW_H_

#include "dra/dra_manager.h"
#include "kubelet_cm/api/control.pb.h"
#include "kubelet_cm/pods/pod_table.h"

namespace kubelet_cm {

// By namespace and name. Does not wait. The health of devices is in the pods' status, and not here.
::kubeletcm::v1::ListClaimsResponse ViewClaims(dra::DraManager& claims, const PodTable& pods);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_CONTROL_CLAIM_VIEW_H_
