// The annotation by which kubelets 1.28 to 1.31 hand CDI device names to a runtime, beside the CRI's own field:
// `cdi.k8s.io/devicemanager_<pod uid>-<container>: vendor/class=name,...`.
//
// Pure function.
#ifndef KUBELET_CM_DEVICEPLUGIN_ALLOCATION_CDI_ANNOTATION_H_
#define KUBELET_CM_DEVICEPLUGIN_ALLOCATION_CDI_ANNOTATION_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace kubelet_cm::deviceplugin {

struct CdiAnnotation {
  std::string key;
  std::string value;

  friend bool operator==(const CdiAnnotation&, const CdiAnnotation&) = default;
};

// Names are sorted; nothing for none. InvalidArgument, in upstream's words, for a key that is longer than 63 bytes
// behind its prefix or has other characters than letters, digits, '_', '-' and '.', and for a name that is not CDI's.
// Kubelets log that and go on without.
absl::StatusOr<std::optional<CdiAnnotation>> MakeCdiAnnotation(std::string_view pod_uid,
                                                               std::string_view container_name,
                                                               std::vector<std::string> cdi_devices);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ALLOCATION_CDI_ANNOTATION_H_
