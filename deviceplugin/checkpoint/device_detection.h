// Tells the format of a device checkpoint from the JSON in it, before any of it is decoded.
#ifndef KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_DETECTION_H_
#define KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_DETECTION_H_

#include <vector>

#include "common/gotext/json_document.h"
#include "deviceplugin/checkpoint/device_layout.h"

namespace kubelet_cm::deviceplugin {

// The layouts to try, the likeliest first; none for what is no device checkpoint (that of the DRA manager, for one). A
// file with checksum and without devices can be v1 or v2, which only its checksum tells.
std::vector<DeviceLayout> DetectDeviceLayouts(JsonValue root);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_DETECTION_H_
