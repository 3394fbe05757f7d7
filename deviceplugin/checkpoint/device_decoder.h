// Decodes a device checkpoint that is known to be JSON, as the kubelets of one layout do: what their Go objects hold
// afterwards. Verifies nothing but types.
//
// Pure functions.
#ifndef KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_DECODER_H_
#define KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_DECODER_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "common/gotext/json_document.h"
#include "deviceplugin/checkpoint/device_content.h"
#include "deviceplugin/checkpoint/device_layout.h"

namespace kubelet_cm::deviceplugin {

// Far beyond any node. A hostile file costs memory only in proportion to them.
inline constexpr size_t kMaxDeviceEntries = 1'000'000;
inline constexpr size_t kMaxDeviceEntryBytes = size_t{16} << 20;  // of JSON

struct DecodedDevices {
  // A JsonError with Go's text (and what upstream puts in front of it), or ResourceExhausted beyond a limit. The
  // content then is what could be decoded nevertheless; upstream discards it.
  absl::Status status;
  DeviceContent content;  // for the 1.8 format: one entry a device
  uint64_t checksum = 0;  // the one in the file
};

DecodedDevices DecodeDevices(JsonValue root, DeviceLayout layout);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_DECODER_H_
