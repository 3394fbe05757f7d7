// The annotations by which the kubelets of 1.26 to 1.30 told a container runtime of CDI devices.
//
// Pure functions.
#ifndef KUBELET_CM_DRA_CLAIM_CLAIM_ANNOTATIONS_H_
#define KUBELET_CM_DRA_CLAIM_CLAIM_ANNOTATIONS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "dra/claim/claim_entry.h"

namespace kubelet_cm::dra {

struct ClaimAnnotation {
  std::string key;    // "cdi.k8s.io/driver_claimUID"
  std::string value;  // the CDI ids as the driver gave them, with commas between

  friend bool operator==(const ClaimAnnotation&, const ClaimAnnotation&) = default;
};

// InvalidArgument, in the kubelet's words, if they make no annotation; then the claim counts as not prepared, although
// its driver has prepared it.
absl::StatusOr<ClaimAnnotation> MakeClaimAnnotation(std::string_view driver, std::string_view claim_uid,
                                                    absl::Span<const std::string> cdi_device_ids);

// Under whose name the devices of a driver stand.
enum class AnnotationKey {
  kClaimsDriver,  // 1.26, 1.27: the claim's own driver, so that there can be several of one key
  kDriver,        // 1.28 to 1.30
};

// One for each driver with devices, in the order of their names.
absl::StatusOr<std::vector<ClaimAnnotation>> AnnotationsOf(const ClaimEntry& entry, AnnotationKey key);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_CLAIM_ANNOTATIONS_H_
