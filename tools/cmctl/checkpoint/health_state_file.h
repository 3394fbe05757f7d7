// The DRA manager's health cache, dra_health_state, from 1.34 on.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_HEALTH_STATE_FILE_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_HEALTH_STATE_FILE_H_

#include <memory>
#include <string_view>

#include "common/gotext/json_document.h"
#include "tools/cmctl/checkpoint/state_file.h"

namespace kubelet_cm::cmctl {

// Whether the JSON has the file's shape: {driver: {"Devices": ...}}, at least one driver.
bool HoldsHealth(JsonValue root);

std::unique_ptr<StateFile> HealthStateFileOf(std::string_view bytes);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_HEALTH_STATE_FILE_H_
