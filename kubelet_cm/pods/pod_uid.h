// Which uids pods may have: they become names of files.
#ifndef KUBELET_CM_KUBELET_CM_PODS_POD_UID_H_
#define KUBELET_CM_KUBELET_CM_PODS_POD_UID_H_

#include <string_view>

#include "absl/status/status.h"

namespace kubelet_cm {

// OK for 1 to 128 letters, digits and '-', the first one no '-': the UUIDs of an API server, the hashes of static pods,
// and what people type. InvalidArgument otherwise.
absl::Status ValidatePodUid(std::string_view uid);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_PODS_POD_UID_H_
