// The page /statusz: the daemon and its node at a glance, as text. A pure function.
#ifndef KUBELET_CM_KUBELET_CM_DAEMON_STATUS_PAGE_H_
#define KUBELET_CM_KUBELET_CM_DAEMON_STATUS_PAGE_H_

#include <string>

#include "absl/time/time.h"
#include "kubelet_cm/api/control.pb.h"
#include "kubelet_cm/control/explanation.h"

namespace kubelet_cm {

std::string RenderStatusPage(const ::kubeletcm::v1::VersionResponse& version, const NodePicture& node, absl::Time now);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_DAEMON_STATUS_PAGE_H_
