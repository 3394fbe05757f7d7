// The annotations by which the kubelets of 1.26 to 1.30 told a container runtime of CDI devices.
//
// Pure function.
#ifndef KUBELET_CM_DRA_CLAIM_CLAIM_ANNOTATIONS_H_
#define KUBELET_CM_DRA_CLAIM_CLAIM_ANNOTATIONS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "common/cdi/cdi_annotation.h"
#include "dra/claim/claim_entry.h"

namespace kubelet_cm::dra {

// Under whose name the devices of a driver stand.
enum class AnnotationKey {
  kClaimsDriver,  // 1.26, 1.27: the claim's own driver, so that there can be several of one key
  kDriver,        // 1.28 to 1.30
};

// One for each driver with devices, in the order of their names: "cdi.k8s.io/<driver>_<claim's uid>" with the CDI names
// as the driver gave them. Errors are those of MakeCdiAnnotation.
absl::StatusOr<std::vector<CdiAnnotation>> AnnotationsOf(const ClaimEntry& entry, AnnotationKey key);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_CLAIM_ANNOTATIONS_H_
