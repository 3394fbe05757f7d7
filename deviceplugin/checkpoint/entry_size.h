// Whether an entry would be read again: readers take entries up to kMaxDeviceEntryBytes, which is the `limit` to give.
// What is larger must not be written, since it would cost the whole file at the next start.
//
// Pure functions.
#ifndef KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_ENTRY_SIZE_H_
#define KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_ENTRY_SIZE_H_

#include <cstddef>

#include "absl/status/status.h"
#include "deviceplugin/checkpoint/device_content.h"

namespace kubelet_cm::deviceplugin {

// What all entries and all registered devices may take of the file, which readers take up to kMaxCheckpointBytes of;
// what frames them needs little.
inline constexpr size_t kMaxDeviceStateBytes = size_t{240} << 20;

// No less than the entry takes in a file. One look at each byte of its ids.
size_t EntryBytesAtMost(const DeviceEntry& entry);

// ResourceExhausted, with the sizes, if it takes more than `limit`.
absl::Status CheckEntrySize(const DeviceEntry& entry, size_t limit);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_ENTRY_SIZE_H_
