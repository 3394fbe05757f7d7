// The pods of requests to the control API: which one is meant, and what one looks like that is to be admitted.
//
// Pure functions.
#ifndef KUBELET_CM_KUBELET_CM_CONTROL_POD_REQUEST_H_
#define KUBELET_CM_KUBELET_CM_CONTROL_POD_REQUEST_H_

#include <string_view>

#include "absl/status/statusor.h"
#include "common/node/pod.h"
#include "kubelet_cm/api/control.pb.h"
#include "kubelet_cm/pods/pod_table.h"

namespace kubelet_cm {

// Without a namespace: "default". InvalidArgument if it names no pod.
absl::StatusOr<PodName> PodNameOf(const ::kubeletcm::v1::PodReference& reference);

// The pod of the manifest, or of the fields. One without a uid gets one made from its content, the same every time.
// InvalidArgument for what is no pod.
absl::StatusOr<Pod> PodOf(const ::kubeletcm::v1::AdmitPodRequest& request, std::string_view node_name);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_CONTROL_POD_REQUEST_H_
