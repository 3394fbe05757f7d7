// Holds one state file against what upstream Kubernetes made of it: the sidecar that lies beside each file of testdata
// (its README says what stands in it).
#ifndef KUBELET_CM_DRA_CHECKPOINT_GOLDEN_CASE_H_
#define KUBELET_CM_DRA_CHECKPOINT_GOLDEN_CASE_H_

#include <string>
#include <string_view>
#include <vector>

#include "common/gotext/json_document.h"

namespace kubelet_cm::dra {

// All in which this project disagrees with the sidecar, a sentence each; none if it agrees. For every reader in the
// sidecar: whether it accepts, its error, where it gave up, the content, and the bytes and the checksum that it writes
// of that.
std::vector<std::string> DisagreementsWithGolden(std::string_view file, JsonValue sidecar);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CHECKPOINT_GOLDEN_CASE_H_
