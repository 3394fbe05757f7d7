// Writes a device checkpoint in another format, or what is left of a damaged one, with what is lost on the way.
//
// Pure functions.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_DEVICE_REWRITING_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_DEVICE_REWRITING_H_

#include <string_view>

#include "common/personality/personality.h"
#include "deviceplugin/checkpoint/device_content.h"
#include "tools/cmctl/checkpoint/state_file.h"

namespace kubelet_cm::cmctl {

Rewritten RewriteDevices(const deviceplugin::DeviceContent& content, DeviceFormat from, DeviceFormat to);

Rewritten SalvageDeviceFile(std::string_view bytes, DeviceFormat format);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_DEVICE_REWRITING_H_
