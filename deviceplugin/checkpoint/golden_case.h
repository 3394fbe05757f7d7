// Holds one checkpoint file against what upstream Kubernetes made of it: the sidecar that lies beside each file of
// testdata (its README says what stands in it).
#ifndef KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_GOLDEN_CASE_H_
#define KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_GOLDEN_CASE_H_

#include <string>
#include <string_view>
#include <vector>

#include "common/gotext/json_document.h"

namespace kubelet_cm::deviceplugin {

// All in which this project disagrees with the sidecar, a sentence each; none if it agrees. For every reader in the
// sidecar: whether it accepts, as which format, its errors, the checksum it computes, the content, and the bytes that
// it writes of it.
std::vector<std::string> DisagreementsWithGolden(std::string_view file, JsonValue sidecar);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_GOLDEN_CASE_H_
