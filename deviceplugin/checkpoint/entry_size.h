// Whether an entry would be read again: readers take entries up to kMaxDeviceEntryBytes. What is larger must not be
// written, since it would cost the whole file at the next start.
//
// Pure functions.
#ifndef KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_ENTRY_SIZE_H_
#define KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_ENTRY_SIZE_H_

#include "absl/status/status.h"
#include "deviceplugin/checkpoint/device_content.h"

namespace kubelet_cm::deviceplugin {

// ResourceExhausted, with the sizes, if it would not. Cheap unless the entry is within a factor of six of the limit.
absl::Status CheckEntrySize(const DeviceEntry& entry);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_ENTRY_SIZE_H_
