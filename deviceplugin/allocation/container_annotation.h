// The annotation by which kubelets 1.28 to 1.31 hand the CDI device names of a container to a runtime, beside the CRI's
// own field: `cdi.k8s.io/devicemanager_<pod uid>-<container>: vendor/class=name,...`.
//
// Pure function.
#ifndef KUBELET_CM_DEVICEPLUGIN_ALLOCATION_CONTAINER_ANNOTATION_H_
#define KUBELET_CM_DEVICEPLUGIN_ALLOCATION_CONTAINER_ANNOTATION_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "common/cdi/cdi_annotation.h"

namespace kubelet_cm::deviceplugin {

// Names are sorted, and each stands once; nothing for none. Errors are those of MakeCdiAnnotation; kubelets log them
// and go on without.
absl::StatusOr<std::optional<CdiAnnotation>> ContainerAnnotation(std::string_view pod_uid,
                                                                 std::string_view container_name,
                                                                 std::vector<std::string> cdi_devices);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ALLOCATION_CONTAINER_ANNOTATION_H_
