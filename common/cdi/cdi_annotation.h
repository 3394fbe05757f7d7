// The annotation by which kubelets of before 1.32 handed CDI device names to a runtime:
// `cdi.k8s.io/<plugin>_<device id>: vendor/class=name,...`.
//
// Pure function.
#ifndef KUBELET_CM_COMMON_CDI_CDI_ANNOTATION_H_
#define KUBELET_CM_COMMON_CDI_CDI_ANNOTATION_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace kubelet_cm {

struct CdiAnnotation {
  std::string key;
  std::string value;

  friend bool operator==(const CdiAnnotation&, const CdiAnnotation&) = default;
};

// Names stay in their order. InvalidArgument, in upstream's words, for a key of which a part is empty, that is longer
// than 63 bytes behind its prefix or has other characters than letters, digits, '_', '-' and '.'; and for a name that
// is not CDI's.
absl::StatusOr<CdiAnnotation> MakeCdiAnnotation(std::string_view plugin, std::string_view device_id,
                                                absl::Span<const std::string> cdi_devices);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_CDI_CDI_ANNOTATION_H_
